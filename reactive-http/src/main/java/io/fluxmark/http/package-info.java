/**
 * The HTTP edge: CloudEvents in, committed results out.
 *
 * <p>{@link io.fluxmark.http.HttpEdge} serves one {@link io.fluxmark.log.EventLog}:
 *
 * <table>
 * <caption>Calls</caption>
 * <tr><th>call</th><th>meaning</th></tr>
 * <tr><td>{@code POST /v1/streams/{s}/events}</td><td>append structured CloudEvents, {@code application/x-ndjson} (one a line) or
 * {@code application/cloudevents+json} (one); all or nothing; answered when durable</td></tr>
 * <tr><td>{@code GET /v1/streams/{s}}</td><td>begin and next offset of each partition; with {@code ?producer=NAME} also the
 * highest sequence the partition has of that producer</td></tr>
 * <tr><td>{@code GET /v1/queries/{q}/results}</td><td>the rows of a registered query as NDJSON, as fast as the client
 * reads</td></tr>
 * <tr><td>{@code GET /health}, {@code /health/ready}</td><td>whether the registered jobs are well: 503 where one is down; it says
 * nothing about the log</td></tr>
 * <tr><td>{@code GET /health/live}</td><td>200 while the server answers</td></tr>
 * <tr><td>{@code GET /v1/jobs/{j}}</td><td>a registered job in words</td></tr>
 * <tr><td>{@code GET /metrics}</td><td>Prometheus text, where it is set up</td></tr>
 * </table>
 *
 * <p><b>How an event becomes a record</b> (the CloudEvents Kafka binding, binary mode). Key: {@code partitionkey}, else {@code
 * subject}, else {@code source/id}, in UTF-8. Value: {@code data} as it was sent, byte for byte, when it is JSON; its text in UTF-8
 * when {@code datacontenttype} says otherwise; the decoded bytes of {@code data_base64}; empty without data. Headers: {@code ce_id},
 * {@code ce_source} and so on for every attribute, {@code content-type} for {@code datacontenttype} ({@code application/json} for
 * {@code data} that says nothing). {@code producerid} with {@code sequence} becomes the record's {@link
 * io.fluxmark.log.ProducerSequence}, which the log keeps in headers of its own, so these two have no {@code ce_} header.
 *
 * <p><b>Repeats.</b> Whoever does not see an answer may send the same body again. Events with {@code producerid} and {@code
 * sequence} are then answered with their first offsets and {@code "duplicate":true}; events without are stored again.
 *
 * <p><b>Errors</b> are RFC 9457 problems ({@code application/problem+json}) with title, status, detail and, where one line of the
 * body is at fault, {@code line}, counted from 1 with blank lines included. Offsets and sequences in JSON are decimal strings.
 */
@NullMarked
package io.fluxmark.http;

import org.jspecify.annotations.NullMarked;
