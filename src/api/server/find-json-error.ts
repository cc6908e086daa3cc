/** Where a text stops being JSON, counted from 1; the column in UTF-16 units. */
export interface JsonError {
  line: number;
  column: number;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** Finds the first error in a text that is not JSON: the engine gives the position for some errors only. Takes linear time. */
export function findJsonError(text: string): JsonError {
  const at = new Scanner(text).findEnd();
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

/** Scans JSON up to the first invalid character. */
class Scanner {
  private readonly text: string;
  private at = 0;
  private readonly closers: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  findEnd(): number {
    while (this.value() && this.close()) {
      if (this.closers.length > 0) continue;
      this.skip(SPACE);
      break;
    }
    return this.at;
  }

  // Scans a scalar, or opening brackets up to the next scalar or closing bracket.
  private value(): boolean {
    for (;;) {
      this.skip(SPACE);
      const opened = this.text[this.at];
      if (opened !== '{' && opened !== '[') return opened === '"' ? this.string() : this.skip(SCALAR);
      this.at += 1;
      this.closers.push(opened === '{' ? '}' : ']');
      this.skip(SPACE);
      if (this.text[this.at] === this.closers.at(-1)) return true;
      if (opened === '{' && !this.name()) return false;
    }
  }

  // Scans what follows a value: closing brackets, or a comma and, in an object, the next name.
  private close(): boolean {
    for (;;) {
      const closer = this.closers.at(-1);
      if (closer === undefined) return true;
      this.skip(SPACE);
      const found = this.text[this.at];
      if (found !== closer && found !== ',') return false;
      this.at += 1;
      if (found === ',') return closer === ']' || this.name();
      this.closers.pop();
    }
  }

  private name(): boolean {
    this.skip(SPACE);
    if (this.text[this.at] !== '"' || !this.string()) return false;
    this.skip(SPACE);
    if (this.text[this.at] !== ':') return false;
    this.at += 1;
    return true;
  }

  private string(): boolean {
    for (this.at += 1; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      // The code is NaN at the end of the text.
      if (!(code >= FIRST_PRINTABLE)) return false;
      if (code === BACKSLASH && !this.escape()) return false;
    }
    this.at += 1;
    return true;
  }

  // Moves to the last character of an escape; false if the escape is invalid.
  private escape(): boolean {
    this.at += 1;
    const letter = this.text[this.at];
    if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) return false;
    if (letter !== 'u') return true;
    for (let digit = 1; digit <= 4; digit += 1)
      if (!isHexDigit(this.text.charCodeAt(this.at + digit))) return false;
    this.at += 4;
    return true;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }
}

function isHexDigit(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  // Converts to lower case.
  const letter = code | 0x20;
  return isDigit || (letter >= 0x61 && letter <= 0x66);
}
