package io.fluxmark.sinks;

import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a job reads: one topic, or the two of a join. Their partitions are numbered through, those of the first topic first.
 * Immutable.
 */
record JobTopics(List<Topic> topics) {

    JobTopics {
        topics = List.copyOf(topics);
    }

    static JobTopics of(Topic... topics) {
        return new JobTopics(List.of(topics));
    }

    Topic first() {
        return topics.get(0);
    }

    boolean areSeveral() {
        return topics.size() > 1;
    }

    /** The partitions of a lane over all, or over that of each topic which has the lane's number; in the order of numbers. */
    List<Partition> ofLane(int lane, boolean merged) {
        List<Partition> partitions = new ArrayList<>();
        for (Topic topic : topics) {
            partitions.addAll(merged ? topic.partitions() : List.of(topic.partition(lane)));
        }
        return partitions;
    }

    /** The numbers of the same. */
    List<Integer> numbersOfLane(int lane, boolean merged) {
        List<Integer> numbers = new ArrayList<>();
        int first = 0;
        for (Topic topic : topics) {
            for (int p = 0; p < topic.partitionCount(); p++) {
                if (merged || p == lane) {
                    numbers.add(first + p);
                }
            }
            first += topic.partitionCount();
        }
        return numbers;
    }

    /** The partition of a number; an {@link IllegalStateException} where none of the topics has it. */
    Partition partition(String job, int number) {
        int within = number;
        for (Topic topic : topics) {
            if (within < topic.partitionCount()) {
                return topic.partition(within);
            }
            within -= topic.partitionCount();
        }
        throw new IllegalStateException("job " + job + " reads more than the partitions of " + names()
                + ": name all of the topics that it joins, the left one first");
    }

    /** The number of a partition of the topic of that name. */
    int number(String topic, int partition) {
        int number = partition;
        for (Topic each : topics) {
            if (each.name().equals(topic)) {
                return number;
            }
            number += each.partitionCount();
        }
        throw new IllegalArgumentException("topic " + topic + " is none of " + names());
    }

    /** Their names, for people. */
    String names() {
        return topics.stream().map(Topic::name).collect(Collectors.joining(" and "));
    }

    /** How many partitions a lane's number goes up to, where each lane is over one of each topic. */
    int lanes() {
        return first().partitionCount();
    }
}
