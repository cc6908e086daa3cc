/** What the checker looks for; each has a line in the summary. */
export const RULES = {
  lost: 'accepted calls lost',
  twice: 'effects twice',
  half: 'effects in part',
  'not-run': 'effects of calls answered as not run',
  'wrong-answer': 'answers that do not fit the effect',
  ends: 'ends of async calls that do not agree',
  'updates-missing': 'updates missing for a follower',
  'updates-doubled': 'updates doubled or out of order for a follower',
  'updates-fold': 'messages that differ from the updates',
  'txid-order': 'txids repeated or out of order',
  pts: 'pts repeated or out of order',
  replay: 'replays that differ from the first answer',
  unknown: 'outcome_unknown without cause',
  answer: 'unexpected answers',
  hung: 'requests never answered',
  process: 'crashes, unhandled rejections and errors of processes',
} as const;

export type Rule = keyof typeof RULES;

/** One thing that should not be. */
export interface Violation {
  rule: Rule;
  what: string;
}
