import type { Finding } from './finding.ts';

/** What is promised of the service, at worst, by the name of the finding that tells. */
const PROMISES: Record<string, number> = {
  'reads.1.p50/usual': 1.15,
  'reads.512.callsPerSecond/usual': 2.5,
  'reads.512.p99/usual': 0.5,
  'reads.512.callsPerSecond/noQueue': 0.7,
  'reads.512.cpuAboveNoQueue/usual': 0.25,
  'sends.512.callsPerSecond/usual': 2,
  'mix.callsPerSecond/usual': 2.5,
  'noisy-neighbour.quiet p50 ms/usual': 0.1,
  'noisy-neighbour.quiet p99 ms/usual': 0.2,
  'overload.goodput/capacity': 0.9,
  'overload.refusedMax': 50,
  'overload.recovery': 2_000,
};

/** The findings with what is promised of them. */
export function withPromises(findings: Finding[]): Finding[] {
  return findings.map((finding) => {
    const limit = finding.limit ?? PROMISES[finding.name];
    return limit === undefined ? finding : { ...finding, limit };
  });
}
