package io.fluxmark.benchmarks;

import java.util.Arrays;

/** A binary heap of instants, each with a number. */
final class TimerHeap {

    private long[] times = new long[1 << 16];
    private int[] numbers = new int[1 << 16];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    long firstTime() {
        return times[0];
    }

    int firstNumber() {
        return numbers[0];
    }

    void push(long time, int number) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) >> 1;
            if (times[parent] <= time) {
                break;
            }
            times[i] = times[parent];
            numbers[i] = numbers[parent];
            i = parent;
        }
        times[i] = time;
        numbers[i] = number;
    }

    void pop() {
        size--;
        long time = times[size];
        int number = numbers[size];
        int i = 0;
        for (int child = 1; child < size; child = 2 * i + 1) {
            if (child + 1 < size && times[child + 1] < times[child]) {
                child++;
            }
            if (times[child] >= time) {
                break;
            }
            times[i] = times[child];
            numbers[i] = numbers[child];
            i = child;
        }
        times[i] = time;
        numbers[i] = number;
    }
}
