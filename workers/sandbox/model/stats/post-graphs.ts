import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { dayOf } from '../common/days.ts';
import { EMOTIONS, type Emotion, emotionOf } from '../reactions/emotions.ts';
import { reactionDaysKey, viewDaysKey } from '../reactions/keys.ts';
import { type ChartSeries, toChart } from './charts.ts';

const DAYS_MAX = 366;
const VIEWS_COLOR = 'GREEN#4BD964';
const COLORS: Readonly<Record<Emotion, string>> = {
  Positive: 'GREEN#34C759',
  Negative: 'RED#E74C3C',
  Other: 'YELLOW#F7BF38',
};

/** The chart of a post's views on each day since it was posted. */
export async function chartViews(call: CallContext, channelId: number, message: TlMessage): Promise<string> {
  const days = daysSince(call, message);
  const key = call.tx.key(viewDaysKey({ channelId, msgId: message.id }));
  const counted = await call.tx.read.hmget(key, ...days.map(String));
  const values = counted.map(Number);
  // The views that it was posted with: its author's.
  const own = message._ === 'message' ? (message.views ?? 0) : 0;
  if (days[0] === dayOf(message.date)) values[0] = (values[0] ?? 0) + own;
  return toChart(days, [{ name: 'Views', color: VIEWS_COLOR, values }], { type: 'line' });
}

/** The chart of the reactions given to a post on each day, by the emotion they show. */
export async function chartEmotions(
  call: CallContext,
  channelId: number,
  message: TlMessage,
): Promise<string> {
  const days = daysSince(call, message);
  const key = call.tx.key(reactionDaysKey({ channelId, msgId: message.id }));
  const counted = Object.entries(await call.tx.read.hgetall(key));
  const series = EMOTIONS.map(
    (emotion): ChartSeries => ({ name: emotion, color: COLORS[emotion], values: days.map(() => 0) }),
  );
  for (const [field, count] of counted) {
    const colon = field.indexOf(':');
    const at = Number(field.slice(0, colon)) - (days[0] ?? 0);
    const one = series[EMOTIONS.indexOf(emotionOf(field.slice(colon + 1)) ?? 'Other')];
    if (one && at >= 0 && at < days.length) one.values[at] = (one.values[at] ?? 0) + Number(count);
  }
  return toChart(days, series, { type: 'bar', stacked: true });
}

function daysSince(call: CallContext, { date }: TlMessage): number[] {
  const last = dayOf(call.date);
  const first = Math.max(dayOf(date), last - DAYS_MAX + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
