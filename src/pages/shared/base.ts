/** The address of the API that this page is of, without a slash at its end. */
export const BASE = location.origin + location.pathname.replace(/\/(docs|console)\/*$/, '');
