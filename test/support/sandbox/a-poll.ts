/** A text without formats, as polls take it. */
export const plainText = (text: string) => ({ _: 'textWithEntities', text, entities: [] });

/** The option of a poll's answer. */
export const optionOf = (name: string) => Buffer.from(name).toString('base64');

/** The `InputMedia` of a poll with the answers `a` and `b`. */
export function aPoll(settings: object = {}) {
  const answers = ['a', 'b'].map((name) => ({
    _: 'pollAnswer',
    text: plainText(name),
    option: optionOf(name),
  }));
  const poll = { _: 'poll', id: '0', hash: '0', question: plainText('Which?'), answers, ...settings };
  return { _: 'inputMediaPoll', poll };
}
