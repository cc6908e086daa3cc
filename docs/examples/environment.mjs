// @ts-check
/**
 * The values of environment variables. If one is missing, says which and where it is set, and ends the program.
 * @template {string} Name
 * @param {Name[]} names
 * @returns {Record<Name, string>}
 */
export function readEnvironment(names, where = '"A first call and its update" in README.md') {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    console.error(`Not set: ${missing.join(', ')}. Paste the commands of ${where} into this shell first.`);
    process.exit(1);
  }
  return /** @type {Record<Name, string>} */ (process.env);
}
