/** The result of a check. Warnings and failures say how to fix them. */
export type Finding =
  | { level: 'ok'; found: string }
  | { level: 'warn' | 'fail'; found: string; mend: string };

export function ok(found: string): Finding {
  return { level: 'ok', found };
}

export function warn(found: string, mend: string): Finding {
  return { level: 'warn', found, mend };
}

export function fail(found: string, mend: string): Finding {
  return { level: 'fail', found, mend };
}
