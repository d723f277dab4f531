#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# A short run of the fuzzer over its corpus. Called with the harness, the corpus and seconds.
# For a long one: build-asan/bin/fuzz_trace -close_fd_mask=3 -max_len=40000 -max_total_time=3600 DIR
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More tests => 2;

my ($harness, $corpus, $seconds) = @ARGV;
my $dir = tempdir(CLEANUP => 1);
copy($_, $dir) for glob "$corpus/*";
my $output = `cd $dir && $harness -close_fd_mask=3 -max_len=40000 -max_total_time=$seconds -rss_limit_mb=3000 $dir 2>&1`;
is($?, 0, "$seconds seconds without a finding") or diag(substr $output, -4000);
my ($runs) = $output =~ /^Done (\d+) runs/m;
ok($runs && $runs > 100, 'the fuzzer ran: ' . ($runs // 0) . ' inputs');
