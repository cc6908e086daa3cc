import { makeProgram } from './program.ts';
import { reportFailure } from './terminal/failures.ts';

// A reader that has seen enough, such as `head`, ends the command.
process.stdout.on('error', () => process.exit(0));
const program = makeProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, program.opts().json === true);
}
