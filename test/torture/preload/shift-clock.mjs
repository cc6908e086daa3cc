// Loaded before a process's main file: `{ shiftClockMs }` from its parent moves what it takes for the time of day.
const RealDate = Date;
let shiftMs = 0;

class ShiftedDate extends RealDate {
  /** @param {any[]} args */
  constructor(...args) {
    // @ts-expect-error as many arguments as a date may be made of
    super(...(args.length === 0 ? [ShiftedDate.now()] : args));
  }

  /** @override */
  static now() {
    return RealDate.now() + shiftMs;
  }
}

// @ts-expect-error nobody calls it without `new`
globalThis.Date = ShiftedDate;

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'shiftClockMs' in message)
    shiftMs = Number(message.shiftClockMs);
});
