/** The name by which a privacy key, or a rule, is kept and shown: `privacyKeyChatInvite` for `inputPrivacyKeyChatInvite`. */
export function toKeptName<Name extends string>(name: `inputP${Name}`): `p${Name}` {
  return `p${name.slice('inputP'.length)}` as `p${Name}`;
}
