/** The name under which a privacy key or rule is stored and shown: `privacyKeyChatInvite` for `inputPrivacyKeyChatInvite`. */
export function toStoredName<Name extends string>(name: `inputP${Name}`): `p${Name}` {
  return `p${name.slice('inputP'.length)}` as `p${Name}`;
}
