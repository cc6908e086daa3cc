import differences from './sandbox-differences.json' with { type: 'json' };

/** Where the sandbox knowingly differs from Telegram in a method, as a sentence or two. Made by `npm run docs`. */
export const SANDBOX_DIFFERENCES: Readonly<Record<string, string | undefined>> = differences;
