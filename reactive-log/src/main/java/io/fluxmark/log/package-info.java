/**
 * A durable partitioned log whose partitions are publishers.
 *
 * <p>An {@link io.fluxmark.log.EventLog} is a directory of {@linkplain io.fluxmark.log.Topic topics}; a topic has a number of
 * {@linkplain io.fluxmark.log.Partition partitions} fixed at creation; a partition is an ordered list of records with
 * consecutive offsets. Records are kept in Apache Kafka's message format v2, so existing tools can read the files.
 *
 * <pre>{@code
 * EventLog log = EventLog.open(directory).block();
 * Topic orders = log.createTopic("orders", 4).block();
 * orders.append(List.of(AppendRecord.of(key, value))).block();   // durable when it completes
 * orders.partition(0).read(0).subscribe(...);                    // cold, follows the tail, obeys request(n)
 * }</pre>
 *
 * <p><b>Threads.</b> All writing, and the reading that opening needs, happens on one writer thread per log. It runs no subscriber
 * code: results hop to {@link reactor.core.scheduler.Schedulers#parallel()}. Readers read on their own worker.
 *
 * <p><b>Nothing is lost silently.</b> A torn tail is cut and its bytes are counted ({@link
 * io.fluxmark.log.Partition#tornBytes()}); damage to records that had been durable is an error naming segment, offset and lost
 * range; a producer forgotten because too many are in use is counted ({@link
 * io.fluxmark.log.Partition#forgottenProducers()}); an append refused by the full queue stores nothing.
 */
@NullMarked
package io.fluxmark.log;

import org.jspecify.annotations.NullMarked;
