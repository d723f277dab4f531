// SPDX-License-Identifier: MIT
module tally {
}
