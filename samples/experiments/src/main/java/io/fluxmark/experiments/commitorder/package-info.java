/**
 * E9: what a kill costs, by the order of two commits where one is needed.
 *
 * <p>Two of the orders are wrong on purpose. They are part of this experiment and of no library: the crash tests of the test
 * kit have their own, over two commits of a store. Here the offset lies in a file beside the store, as the prediction
 * assumes and as it does where a job keeps its state and a broker its offsets. Those of the test kit are not reached from here:
 * the command that runs the experiments is built without tests.
 */
@NullMarked
package io.fluxmark.experiments.commitorder;

import org.jspecify.annotations.NullMarked;
