/** What the commands on logs and on stores share: where they write, and how. */
@NullMarked
package io.fluxmark.cli.console;

import org.jspecify.annotations.NullMarked;
