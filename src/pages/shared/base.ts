/** The address of the API that serves this page, without a slash at its end. */
export const BASE = location.origin + location.pathname.replace(/\/(docs|console)\/*$/, '');
