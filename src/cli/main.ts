import { makeProgram } from './program.ts';
import { reportFailure, reportLostOutput } from './terminal/failures.ts';

process.stdout.on('error', (error) => process.exit(reportLostOutput(error)));
// What is done stays done if nobody reads what is said of it.
process.stderr.on('error', () => undefined);
const program = makeProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, program.opts().json === true);
}
