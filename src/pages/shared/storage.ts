type KeyValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What is kept for this browser. */
export const browserStorage: KeyValues = open('localStorage');

/** What is kept for this tab. */
export const tabStorage: KeyValues = open('sessionStorage');

// Where nothing may be stored, even looking at the storage throws, or there is none.
function open(name: 'localStorage' | 'sessionStorage'): KeyValues {
  try {
    return (window[name] as Storage | null) ?? untilReload();
  } catch {
    return untilReload();
  }
}

function untilReload(): KeyValues {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
