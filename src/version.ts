/** The version of the API and of the product; the same as in `package.json`. */
export const VERSION = '0.1.0-beta';
