/** The methods, object shapes and result types that the specification lists, in its order. */

interface SpecifiedMethod {
  name: string;
  /** Param by param: its JSON type, `[]` for an array of it; `input peer` and its like are unions. */
  params: Record<string, string>;
  /** The tag of the result in the shape given. */
  result: string;
}

const PAGE = {
  offsetId: 'integer',
  addOffset: 'integer',
  limit: 'integer',
  maxId: 'integer',
  minId: 'integer',
};

export const SPECIFIED_METHODS: readonly SpecifiedMethod[] = [
  {
    name: 'phone.getGroupCall',
    params: { call: 'inputGroupCall', limit: 'integer' },
    result: 'phone.groupCall',
  },
  {
    name: 'account.createTheme',
    params: { slug: 'string', title: 'string' },
    result: 'theme',
  },
  {
    name: 'payments.getPaymentForm',
    params: { invoice: 'inputInvoiceMessage' },
    result: 'payments.paymentForm',
  },
  {
    name: 'messages.getSponsoredMessages',
    params: { peer: 'inputPeerEmpty' },
    result: 'messages.sponsoredMessages',
  },
  {
    name: 'stats.getMessagePublicForwards',
    params: {
      channel: 'inputChannelEmpty',
      msgId: 'integer',
      offset: 'string',
      limit: 'integer',
    },
    result: 'stats.publicForwards',
  },
  {
    name: 'messages.getUnreadPollVotes',
    params: { peer: 'inputPeerEmpty', ...PAGE },
    result: 'messages.messages',
  },
  {
    name: 'messages.getRichMessage',
    params: { peer: 'inputPeerEmpty', id: 'integer' },
    result: 'messages.messages',
  },
  {
    name: 'messages.addChatUser',
    params: {
      chatId: 'integer',
      userId: 'inputUserEmpty',
      fwdLimit: 'integer',
    },
    result: 'messages.invitedUsers',
  },
  {
    name: 'stats.getMessageStats',
    params: { channel: 'inputChannelEmpty', msgId: 'integer' },
    result: 'stats.messageStats',
  },
  {
    name: 'messages.forwardMessages',
    params: {
      fromPeer: 'inputPeerEmpty',
      id: 'integer[]',
      randomId: 'string[]',
      toPeer: 'inputPeerEmpty',
    },
    result: 'updatesTooLong',
  },
  {
    name: 'stories.startLive',
    params: {
      peer: 'inputPeerEmpty',
      privacyRules: 'inputPrivacyValueAllowContacts[]',
      randomId: 'string',
    },
    result: 'updatesTooLong',
  },
  {
    name: 'messages.readMentions',
    params: { peer: 'inputPeerEmpty' },
    result: 'messages.affectedHistory',
  },
  {
    name: 'messages.getSavedHistory',
    params: {
      peer: 'inputPeerEmpty',
      ...PAGE,
      offsetDate: 'integer',
      hash: 'string',
    },
    result: 'messages.messages',
  },
  {
    name: 'messages.getUnreadMentions',
    params: { peer: 'inputPeerEmpty', ...PAGE },
    result: 'messages.messages',
  },
  { name: 'help.getSupport', params: {}, result: 'help.support' },
  {
    name: 'payments.getStarsRevenueAdsAccountUrl',
    params: { peer: 'inputPeerEmpty' },
    result: 'payments.starsRevenueAdsAccountUrl',
  },
  {
    name: 'account.registerPasskey',
    params: { credential: 'inputPasskeyCredentialPublicKey' },
    result: 'passkey',
  },
  {
    name: 'messages.readMessageContents',
    params: { id: 'integer[]' },
    result: 'messages.affectedMessages',
  },
  {
    name: 'account.getUniqueGiftChatThemes',
    params: { offset: 'string', limit: 'integer', hash: 'string' },
    result: 'account.chatThemesNotModified',
  },
  { name: 'payments.getSavedInfo', params: {}, result: 'payments.savedInfo' },
];

/** The methods that the specification names by description only. */
export const DESCRIBED_METHODS: readonly string[] = [
  'payments.getResaleStarGifts',
  'payments.getSavedStarGift',
];

/** Every shared object shape and result type: its fields and their JSON types. */
export const SPECIFIED_SHAPES: Readonly<Record<string, Record<string, string>>> = {
  inputPeerEmpty: {},
  inputChannelEmpty: {},
  inputUserEmpty: {},
  peerUser: { userId: 'integer' },
  chatEmpty: { id: 'integer' },
  userEmpty: { id: 'integer' },
  messageEmpty: { id: 'integer', peerId: 'peerUser' },
  forumTopicDeleted: { id: 'integer' },
  updatesTooLong: {},
  dataJSON: { data: 'string' },
  documentEmpty: { id: 'string' },
  photoEmpty: { id: 'string' },
  messageMediaEmpty: {},
  messageEntityUnknown: { offset: 'integer', length: 'integer' },
  peerColor: { color: 'integer', backgroundEmojiId: 'string' },
  inputPrivacyValueAllowContacts: {},
  statsGraphAsync: { token: 'string' },
  inputGroupCall: { id: 'string', accessHash: 'string' },
  groupCallDiscarded: {
    id: 'string',
    accessHash: 'string',
    duration: 'integer',
  },
  groupCallParticipantVideoSourceGroup: {
    semantics: 'string',
    sources: 'integer[]',
  },
  groupCallParticipantVideo: {
    paused: 'boolean',
    endpoint: 'string',
    sourceGroups: 'groupCallParticipantVideoSourceGroup[]',
    audioSource: 'integer',
  },
  groupCallParticipant: {
    ...all(
      'boolean',
      'muted left canSelfUnmute justJoined versioned min mutedByYou volumeByAdmin self videoJoined',
    ),
    peer: 'peerUser',
    ...all('integer', 'date activeDate source volume'),
    ...all('string', 'about raiseHandRating paidStarsTotal'),
    video: 'groupCallParticipantVideo',
    presentation: 'groupCallParticipantVideo',
  },
  baseThemeClassic: {},
  wallPaperSettings: {
    ...all('boolean', 'blur motion'),
    ...all('integer', 'backgroundColor secondBackgroundColor thirdBackgroundColor fourthBackgroundColor'),
    ...all('integer', 'intensity rotation'),
    emoticon: 'string',
  },
  wallPaper: {
    ...all('boolean', 'creator default pattern dark'),
    ...all('string', 'id accessHash slug'),
    document: 'documentEmpty',
    settings: 'wallPaperSettings',
  },
  themeSettings: {
    messageColorsAnimated: 'boolean',
    baseTheme: 'baseThemeClassic',
    accentColor: 'integer',
    outboxAccentColor: 'integer',
    messageColors: 'integer[]',
    wallpaper: 'wallPaper',
  },
  theme: {
    ...all('boolean', 'creator default forChat'),
    ...all('string', 'id accessHash slug title emoticon'),
    document: 'documentEmpty',
    settings: 'themeSettings[]',
    installsCount: 'integer',
  },
  documentAttributeImageSize: { w: 'integer', h: 'integer' },
  webDocument: {
    url: 'string',
    accessHash: 'string',
    size: 'integer',
    mimeType: 'string',
    attributes: 'documentAttributeImageSize[]',
  },
  labeledPrice: { label: 'string', amount: 'string' },
  invoice: {
    ...all('boolean', 'test nameRequested phoneRequested emailRequested shippingAddressRequested flexible'),
    ...all('boolean', 'phoneToProvider emailToProvider recurring'),
    currency: 'string',
    prices: 'labeledPrice[]',
    maxTipAmount: 'string',
    suggestedTipAmounts: 'string[]',
    termsUrl: 'string',
    subscriptionPeriod: 'integer',
  },
  paymentFormMethod: { url: 'string', title: 'string' },
  postAddress: all('string', 'streetLine1 streetLine2 city state countryIso2 postCode'),
  paymentRequestedInfo: {
    ...all('string', 'name phone email'),
    shippingAddress: 'postAddress',
  },
  paymentSavedCredentialsCard: { id: 'string', title: 'string' },
  sponsoredMessage: {
    ...all('boolean', 'recommended canReport'),
    ...all('string', 'randomId url title message buttonText sponsorInfo additionalInfo'),
    entities: 'messageEntityUnknown[]',
    photo: 'photoEmpty',
    media: 'messageMediaEmpty',
    color: 'peerColor',
    ...all('integer', 'minDisplayDuration maxDisplayDuration'),
  },
  publicForwardMessage: { message: 'messageEmpty' },
  missingInvitee: {
    ...all('boolean', 'premiumWouldAllowInvite premiumRequiredForPm'),
    userId: 'integer',
  },
  inputInvoiceMessage: { peer: 'inputPeerEmpty', msgId: 'integer' },
  inputPasskeyResponseRegister: {
    clientData: 'dataJSON',
    attestationData: 'string',
  },
  inputPasskeyCredentialPublicKey: {
    id: 'string',
    rawId: 'string',
    response: 'inputPasskeyResponseRegister',
  },
  passkey: {
    id: 'string',
    name: 'string',
    date: 'integer',
    softwareEmojiId: 'string',
    lastUsageDate: 'integer',
  },
  'phone.groupCall': {
    call: 'groupCallDiscarded',
    participants: 'groupCallParticipant[]',
    participantsNextOffset: 'string',
    chats: 'chatEmpty[]',
    users: 'userEmpty[]',
  },
  'payments.paymentForm': {
    ...all('boolean', 'canSaveCredentials passwordMissing'),
    formId: 'string',
    botId: 'integer',
    ...all('string', 'title description'),
    photo: 'webDocument',
    invoice: 'invoice',
    ...all('string', 'providerId url nativeProvider'),
    nativeParams: 'dataJSON',
    additionalMethods: 'paymentFormMethod[]',
    savedInfo: 'paymentRequestedInfo',
    savedCredentials: 'paymentSavedCredentialsCard[]',
    users: 'userEmpty[]',
  },
  'messages.sponsoredMessages': {
    ...all('integer', 'postsBetween startDelay betweenDelay'),
    messages: 'sponsoredMessage[]',
    chats: 'chatEmpty[]',
    users: 'userEmpty[]',
  },
  'stats.publicForwards': {
    count: 'integer',
    forwards: 'publicForwardMessage[]',
    nextOffset: 'string',
    chats: 'chatEmpty[]',
    users: 'userEmpty[]',
  },
  'messages.messages': {
    messages: 'messageEmpty[]',
    topics: 'forumTopicDeleted[]',
    chats: 'chatEmpty[]',
    users: 'userEmpty[]',
  },
  'messages.invitedUsers': {
    updates: 'updatesTooLong',
    missingInvitees: 'missingInvitee[]',
  },
  'stats.messageStats': {
    viewsGraph: 'statsGraphAsync',
    reactionsByEmotionGraph: 'statsGraphAsync',
  },
  'messages.affectedHistory': all('integer', 'pts ptsCount offset'),
  'messages.affectedMessages': all('integer', 'pts ptsCount'),
  'help.support': { phoneNumber: 'string', user: 'userEmpty' },
  'payments.starsRevenueAdsAccountUrl': { url: 'string' },
  'payments.savedInfo': {
    hasSavedCredentials: 'boolean',
    savedInfo: 'paymentRequestedInfo',
  },
  'account.chatThemesNotModified': {},
};

function all(type: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}
