import exampleParams from './example-params.json' with { type: 'json' };

/** Example params of every method that a driver executes; null without an example. Made by `npm run docs`. */
export const EXAMPLES: Readonly<Record<string, object | null>> = exampleParams;
