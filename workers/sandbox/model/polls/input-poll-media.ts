import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { Thread } from '../common/keys.ts';
import { randomLong } from '../files/documents.ts';
import { toMedia } from '../files/input-media.ts';
import type { Peer } from '../peers/peer.ts';
import { refuseUnknownPeers } from '../peers/refuse-unknown.ts';
import { markText, toStoredEntities } from '../text/entities.ts';
import { POLLS } from './keys.ts';
import type { Poll, PollMedia, PollOrigin, PollRecord } from './polls.ts';

type InputPoll = TlJson<tl.RawInputMediaPoll>;
type Answer = TlJson<tl.RawPollAnswer>;
type TextWithEntities = TlJson<tl.RawTextWithEntities>;

// Telegram's limits of polls. Source: core.telegram.org/api/poll and core.telegram.org/bots/api, sendPoll.
const QUESTION_MAX = 300;
const ANSWER_MAX = 100;
const ANSWERS_MAX = 12;
const OPTION_BYTES_MAX = 100;
const SOLUTION_MAX = 200;
// Countries have codes of two letters.
const COUNTRIES_MAX = 26 * 26;
const COUNTRY = /^[A-Z]{2}$/;
// The length of a poll with its media and its explanation, as JSON: each message that shows it has it read once more.
const JSON_LENGTH_MAX = 30_000;
// Source: core.telegram.org/api/config#poll-close-period-max.
const CLOSES_AFTER_S = { min: 5, max: 2_628_000 };

/**
 * Converts a sender's poll, which is sent at `sentAt`. Errors: `POLL_QUESTION_INVALID`, `POLL_ANSWERS_INVALID`, `POLL_ANSWER_INVALID`,
 * `POLL_OPTION_INVALID`, `POLL_OPTION_DUPLICATE`, `QUIZ_MULTIPLE_INVALID`, `QUIZ_CORRECT_ANSWERS_EMPTY`, `QUIZ_CORRECT_ANSWERS_TOO_MUCH`,
 * `QUIZ_CORRECT_ANSWER_INVALID`, `MEDIA_CAPTION_TOO_LONG` for a long explanation, `MEDIA_INVALID` if it would close too soon or too late,
 * for countries that are none and for more than 30,000 characters of JSON, and those of `toStoredEntities`.
 */
export async function toPoll(call: CallContext, input: InputPoll, sentAt: number): Promise<PollRecord> {
  const { id: _, closed, creator: __, closeDate, closePeriod, ...given } = input.poll;
  if (!fits(given.question, QUESTION_MAX)) throw new MessengerError('POLL_QUESTION_INVALID');
  if (given.answers.length < 1 || given.answers.length > ANSWERS_MAX) {
    throw new MessengerError('POLL_ANSWERS_INVALID');
  }
  refuseOtherCountries(given.countriesIso2);
  await refuseUnknownPeers(call, given.answers);
  const [question, ...answers] = await Promise.all([
    toStored(call, given.question),
    ...given.answers.map((answer, i) => toAnswer(call, answer, i)),
  ]);
  const options = answers.map(({ option }) => option);
  if (new Set(options).size < options.length) throw new MessengerError('POLL_OPTION_DUPLICATE');
  const closes = closePeriod === undefined ? closeDate : sentAt + closePeriod;
  if (closePeriod !== undefined) refuseCloseDate(closePeriod);
  // A poll that is sent closed may have any date.
  else if (closeDate !== undefined && !closed) refuseCloseDate(closeDate - sentAt);
  const isSentNow = !closed && sentAt === call.date;
  const poll: Poll = {
    ...given,
    question,
    id: randomLong(),
    hash: randomLong(),
    answers,
    ...(closed ? { closed } : {}),
    ...(closePeriod === undefined ? {} : { closePeriod }),
    ...(closes === undefined ? {} : { closeDate: closes }),
    // Clients close a poll by themselves only if it has both.
    ...(closes === undefined || !isSentNow ? {} : { closePeriod: closes - sentAt }),
  };
  const record: PollRecord = {
    poll,
    creatorId: call.account.userId,
    correct: correctOf(input, options),
    solution: await solutionOf(call, input),
    ...(input.attachedMedia ? { attachedMedia: await toMedia(call, input.attachedMedia) } : {}),
    origin: null,
  };
  if (JSON.stringify(record).length > JSON_LENGTH_MAX) throw new MessengerError('MEDIA_INVALID');
  return record;
}

function refuseOtherCountries(codes: readonly string[] = []): void {
  if (codes.length > COUNTRIES_MAX || !codes.every((code) => COUNTRY.test(code)))
    throw new MessengerError('MEDIA_INVALID');
}

function refuseCloseDate(period: number): void {
  if (period < CLOSES_AFTER_S.min || period > CLOSES_AFTER_S.max) throw new MessengerError('MEDIA_INVALID');
}

/** A scheduled poll as it is sent: its period begins only now, or, if a date was given, lasts from now until then. */
export function startPoll(record: PollRecord, now: number): PollRecord {
  const { closed, closePeriod, closeDate } = record.poll;
  if (closePeriod !== undefined) return { ...record, poll: { ...record.poll, closeDate: now + closePeriod } };
  if (closeDate === undefined || closed) return record;
  return { ...record, poll: { ...record.poll, closePeriod: Math.max(0, closeDate - now) } };
}

/** The medium of a message with a new poll. */
export function toPollMedia({ poll, attachedMedia }: PollRecord): PollMedia {
  return {
    _: 'messageMediaPoll',
    poll,
    results: { _: 'pollResults', min: true, totalVoters: 0 },
    ...(attachedMedia ? { attachedMedia } : {}),
  };
}

/** Where a poll is sent to: the message, and in a forum the topic. */
export function pollOriginOf(peer: Peer, msgId: number, given: Thread | undefined): PollOrigin {
  const thread = given ?? (peer.kind === 'channel' && peer.channel.forum ? 't1' : undefined);
  return { peer: peer.key, msgId, ...(thread === undefined ? {} : { thread }) };
}

/** Stores a poll, with the message in which its creator sent it. */
export function savePoll(call: CallContext, record: PollRecord, origin: PollOrigin): void {
  call.tx.hset(POLLS, record.poll.id, { ...record, origin } satisfies PollRecord);
}

/** Throws `POLL_OPTION_INVALID` unless the option of an answer, in base64, has 1 to 100 bytes. */
export function refuseOption(option: string): void {
  const bytes = Buffer.from(option, 'base64').length;
  if (bytes < 1 || bytes > OPTION_BYTES_MAX) throw new MessengerError('POLL_OPTION_INVALID');
}

async function toAnswer(call: CallContext, answer: Poll['answers'][number], index: number): Promise<Answer> {
  if (!fits(answer.text, ANSWER_MAX)) throw new MessengerError('POLL_ANSWER_INVALID');
  const text = await toStored(call, answer.text);
  if (answer._ === 'pollAnswer') {
    refuseOption(answer.option);
    // Who added an answer is not for the sender to say.
    const { addedBy: _, date: __, ...given } = answer;
    return { ...given, text };
  }
  const media = answer.media ? { media: await toMedia(call, answer.media) } : {};
  const option = Buffer.from(String(index)).toString('base64');
  return { _: 'pollAnswer', text, option, ...media };
}

function correctOf({ poll, correctAnswers = [] }: InputPoll, options: readonly string[]): string[] {
  if (!poll.quiz) return [];
  if (correctAnswers.length === 0) throw new MessengerError('QUIZ_CORRECT_ANSWERS_EMPTY');
  if (poll.multipleChoice) throw new MessengerError('QUIZ_MULTIPLE_INVALID');
  if (correctAnswers.length > 1) throw new MessengerError('QUIZ_CORRECT_ANSWERS_TOO_MUCH');
  return correctAnswers.map((index) => {
    const option = options[index];
    if (option === undefined) throw new MessengerError('QUIZ_CORRECT_ANSWER_INVALID');
    return option;
  });
}

async function solutionOf(call: CallContext, input: InputPoll): Promise<PollRecord['solution']> {
  const { solution, solutionEntities = [], solutionMedia } = input;
  if (solution === undefined || !input.poll.quiz) return {};
  if (solution.length > SOLUTION_MAX) throw new MessengerError('MEDIA_CAPTION_TOO_LONG');
  const [{ text, entities }, media] = await Promise.all([
    markText(call, solution, solutionEntities),
    solutionMedia ? toMedia(call, solutionMedia) : null,
  ]);
  return { solution: text, solutionEntities: entities, ...(media ? { solutionMedia: media } : {}) };
}

async function toStored(call: CallContext, { text, ...given }: TextWithEntities): Promise<TextWithEntities> {
  return { ...given, text, entities: await toStoredEntities(call, text, given.entities) };
}

function fits({ text }: TextWithEntities, max: number): boolean {
  return text.trim() !== '' && text.length <= max;
}
