import { relative } from 'node:path';

/** Prints each mutant that no test notices as soon as that is known: a run takes an hour, and its report comes at the end. */
class PrintSurvivors {
  onMutantTested(
    /** @type {{ status: string, fileName: string, location: { start: { line: number } }, mutatorName: string, replacement: string }} */
    { status, fileName, location, mutatorName, replacement },
  ) {
    if (['Killed', 'Timeout', 'Ignored'].includes(status)) return;
    const place = `${relative('.', fileName)}:${location.start.line}`;
    console.log(`\n${status}: ${place} ${mutatorName}: ${replacement}`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', injectableClass: PrintSurvivors }];
