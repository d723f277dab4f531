// SPDX-License-Identifier: MIT
package debug;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What it marks is not recorded. */
@Retention(RetentionPolicy.CLASS)
public @interface DittoIgnore {
}
