import type { FieldError } from '../problem.ts';

const ERRORS_MAX = 20;
const EXPLAINED_MAX = 5;

/** Gathers what is wrong with a value, and where; the place is a path that the checks extend and shorten. */
export class Report {
  readonly errors: FieldError[] = [];
  private readonly path: (string | number)[] = [];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  enter(part: string | number): void {
    this.path.push(part);
  }

  leave(): void {
    this.path.pop();
  }

  /** Notes that the value at the present place, or at a member of it, is wrong. */
  add(detail: string, member?: string): void {
    if (this.isFull) return;
    const path = member === undefined ? this.path : [...this.path, member];
    this.errors.push({
      pointer: this.root + path.map(pointerPart).join(''),
      detail,
    });
  }

  /** Whether what is wrong next is to be told with what it should have been, which takes time and space, as only the first few are. */
  get explains(): boolean {
    return this.errors.length < EXPLAINED_MAX;
  }

  /** Whether there is no use in looking further. */
  get isFull(): boolean {
    return this.errors.length >= ERRORS_MAX;
  }
}

function pointerPart(part: string | number): string {
  return `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
