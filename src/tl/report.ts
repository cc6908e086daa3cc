import type { FieldError } from '../problem.ts';

const ERRORS_MAX = 20;
const EXPLAINED_MAX = 5;

/** Collects the errors of a value with their paths. The checks extend and shorten the current path. */
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

  /** Adds an error for the value at the current path, or at a member of it. */
  add(detail: string, member?: string): void {
    if (this.isFull) return;
    const path = member === undefined ? this.path : [...this.path, member];
    this.errors.push({
      pointer: this.root + path.map(pointerPart).join(''),
      detail,
    });
  }

  /** Whether the next error gets a suggestion. Suggestions take time and space, so only the first few errors get one. */
  get explains(): boolean {
    return this.errors.length < EXPLAINED_MAX;
  }

  /** Whether no more errors are collected, so that checking can stop. */
  get isFull(): boolean {
    return this.errors.length >= ERRORS_MAX;
  }
}

function pointerPart(part: string | number): string {
  return `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
