package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.Partitioner;
import io.fluxmark.quickstart.plain.FlightsFile;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PartitionAgreementTest {

    @Test
    void theLogPutsEveryAirportWhereThePlainComputationExpectsIt() {
        PlainPartitions plain = new PlainPartitions(4);
        Set<String> airports =
                FlightsFile.bundled().stream().map(flight -> flight.origin()).collect(Collectors.toSet());

        assertThat(airports).hasSize(223).allSatisfy(airport -> assertThat(
                        Partitioner.partitionFor(airport.getBytes(StandardCharsets.UTF_8), 4))
                .isEqualTo(plain.of(airport)));
    }
}
