// Made by `npm run docs` from the TL schema; do not edit.

/** The code of an error of Switchboard itself. */
export type ProblemCode =
  | 'account_unauthorized'
  | 'answers_too_large'
  | 'bad_request'
  | 'body_too_large'
  | 'call_ended'
  | 'call_expired'
  | 'call_in_flight'
  | 'call_timeout'
  | 'call_too_large'
  | 'canceled'
  | 'conflict'
  | 'conflicting_parameters'
  | 'expectation_failed'
  | 'forbidden'
  | 'headers_too_large'
  | 'idempotency_key_reused'
  | 'internal'
  | 'invalid_body'
  | 'invalid_cursor'
  | 'invalid_header'
  | 'invalid_json'
  | 'invalid_offset'
  | 'invalid_params'
  | 'invalid_query'
  | 'messenger_failed'
  | 'method_not_allowed'
  | 'method_not_implemented'
  | 'not_acceptable'
  | 'not_empty'
  | 'not_found'
  | 'offset_gone'
  | 'outcome_unknown'
  | 'overloaded'
  | 'paused'
  | 'precondition_failed'
  | 'rate_limited'
  | 'reply_not_kept'
  | 'request_timeout'
  | 'shutting_down'
  | 'unauthorized'
  | 'unavailable'
  | 'unknown_method'
  | 'unsupported_media_type'
  | 'uri_too_long'
  | 'workspace_full';

/** Every method by namespace, with the codes of the errors that the schema lists for it. */
export interface MethodErrors {
  account: {
    /** Sends a Telegram Passport authorization form, effectively sharing data with the service */
    acceptAuthorization: 'BOT_INVALID' | 'PUBLIC_KEY_REQUIRED';
    /** Cancel the code that was sent to verify an email to use as 2FA recovery method. */
    cancelPasswordEmail: 'EMAIL_HASH_EXPIRED';
    /** Change settings related to a session. */
    changeAuthorizationSettings: 'HASH_INVALID';
    /** Change the phone number of the current account */
    changePhone:
      | 'PHONE_CODE_EMPTY'
      | 'PHONE_CODE_EXPIRED'
      | 'PHONE_CODE_INVALID'
      | 'PHONE_NUMBER_INVALID'
      | 'PHONE_NUMBER_OCCUPIED';
    /** Validates a username and checks availability. */
    checkUsername: 'USERNAME_INVALID' | 'USERNAME_OCCUPIED' | 'USERNAME_PURCHASE_AVAILABLE';
    /** Clears list of recently used emoji statuses */
    clearRecentEmojiStatuses: never;
    confirmBotConnection: never;
    /** Verify an email to use as 2FA recovery method. */
    confirmPasswordEmail: 'CODE_INVALID' | 'EMAIL_HASH_EXPIRED';
    /** Confirm a phone number to cancel account deletion, for more info click here */
    confirmPhone: 'CODE_HASH_INVALID' | 'PHONE_CODE_EMPTY';
    /** Create a business chat deep link. */
    createBusinessChatLink: 'CHATLINKS_TOO_MUCH' | 'DOCUMENT_INVALID' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** Create a theme */
    createTheme:
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'THEME_MIME_INVALID'
      | 'THEME_TITLE_INVALID';
    /** Abort a pending 2FA password reset, see here for more info */
    declinePasswordReset: 'RESET_REQUEST_MISSING';
    /** Delete the user's account from the telegram servers. Can also be used to delete the account of a user that provided the login code, but forgot the 2FA password and no recovery method is configured, see here for more info on password recovery, and here for more info on account deletion. */
    deleteAccount: '2FA_CONFIRM_WAIT' | 'PASSWORD_HASH_INVALID';
    /** Clear all peer-specific autosave settings. */
    deleteAutoSaveExceptions: never;
    /** Delete a business chat deep link. */
    deleteBusinessChatLink: 'CHATLINK_SLUG_EMPTY' | 'CHATLINK_SLUG_EXPIRED';
    /** Delete a passkey associated to the current account, see here for more info. */
    deletePasskey: never;
    /** Delete stored Telegram Passport documents, for more info see the passport docs */
    deleteSecureValue: never;
    deleteWebBrowserSettingsExceptions: never;
    /** Permanently disconnect a specific chat from all business bots (equivalent to specifying it in recipients.exclude_users during initial configuration with account.updateConnectedBot); to reconnect of a chat disconnected using this method the user must reconnect the entire bot by invoking account.updateConnectedBot. */
    disablePeerConnectedBot: 'BOT_ALREADY_DISABLED' | 'BOT_NOT_CONNECTED_YET' | 'PEER_ID_INVALID';
    /** Edit a created business chat deep link. */
    editBusinessChatLink: 'CHATLINK_SLUG_EMPTY' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** Terminate a takeout session, see here for more info. */
    finishTakeoutSession: 'TAKEOUT_REQUIRED';
    /** Get days to live of account */
    getAccountTTL: never;
    /** Get all saved Telegram Passport documents, for more info see the passport docs */
    getAllSecureValues: never;
    /** Returns a Telegram Passport authorization form for sharing data with a service */
    getAuthorizationForm: 'BOT_INVALID' | 'PUBLIC_KEY_REQUIRED';
    /** Get logged-in sessions */
    getAuthorizations: never;
    /** Get media autodownload settings */
    getAutoDownloadSettings: never;
    /** Get autosave settings */
    getAutoSaveSettings: never;
    /** Bots may invoke this method to re-fetch the RawUpdateBotBusinessConnect constructor associated with a specific business connection_id, see here for more info on connected business bots. This is needed for example for freshly logged in bots that are receiving some RawUpdateBotNewBusinessMessage, etc. updates because some users have already connected to the bot before it could login. In this case, the bot is receiving messages from the business connection, but it hasn't cached the associated RawUpdateBotBusinessConnect with info about the connection (can it reply to messages? etc.) yet, and cannot receive the old ones because they were sent when the bot wasn't logged into the session yet. This method can be used to fetch info about a not-yet-cached business connection, and should not be invoked if the info is already cached or to fetch changes, as eventual changes will automatically be sent as new RawUpdateBotBusinessConnect updates to the bot using the usual update delivery methods. */
    getBotBusinessConnection: 'CONNECTION_ID_INVALID';
    /** List all created business chat deep links. */
    getBusinessChatLinks: never;
    /** Get a list of default suggested channel emoji statuses. */
    getChannelDefaultEmojiStatuses: never;
    /** Returns fetch the full list of custom emoji IDs that cannot be used in channel emoji statuses. */
    getChannelRestrictedStatusEmojis: never;
    /** Get all available chat themes. */
    getChatThemes: never;
    /** Obtain a list of emoji statuses for owned collectible gifts. */
    getCollectibleEmojiStatuses: never;
    /** List all currently connected business bots */
    getConnectedBots: never;
    /** Whether the user will receive notifications when contacts sign up */
    getContactSignUpNotification: never;
    /** Get sensitive content settings */
    getContentSettings: never;
    /** Get a set of suggested custom emoji stickers that can be used in an accent color pattern. */
    getDefaultBackgroundEmojis: never;
    /** Get a list of default suggested emoji statuses */
    getDefaultEmojiStatuses: never;
    /** Get a set of suggested custom emoji stickers that can be used as group picture */
    getDefaultGroupPhotoEmojis: never;
    /** Get a set of suggested custom emoji stickers that can be used as profile picture */
    getDefaultProfilePhotoEmojis: never;
    /** Get global privacy settings */
    getGlobalPrivacySettings: never;
    /** Get info about multiple wallpapers */
    getMultiWallPapers: 'WALLPAPER_INVALID';
    /** Returns list of chats with non-default notification settings */
    getNotifyExceptions: never;
    /** Gets current notification settings for a given user/group, from all users/all groups. */
    getNotifySettings: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'PEER_ID_INVALID';
    /** Get the number of stars we have received from the specified user thanks to paid messages; the received amount will be equal to the sent amount multiplied by stars_paid_message_commission_permille divided by 1000. */
    getPaidMessagesRevenue: 'PARENT_PEER_INVALID' | 'USER_ID_INVALID';
    /** List the passkeys associated to the current account that can be used to log in, see here for more info on passkeys. */
    getPasskeys: never;
    /** Obtain configuration for two-factor authorization with password */
    getPassword: never;
    /** Get private info associated to the password info (recovery email, telegram passport info & so on) */
    getPasswordSettings: 'PASSWORD_HASH_INVALID';
    /** Get privacy settings of current account */
    getPrivacy: 'PRIVACY_KEY_INVALID';
    /** Get the current reaction notification settings. */
    getReactionsNotifySettings: never;
    /** Get recently used emoji statuses */
    getRecentEmojiStatuses: never;
    /** Fetch the full list of only the IDs of songs currently added to the profile, see here for more info. */
    getSavedMusicIds: never;
    /** Fetch saved notification sounds */
    getSavedRingtones: never;
    /** Get saved Telegram Passport document, for more info see the passport docs */
    getSecureValue: never;
    /** Get theme information */
    getTheme: 'THEME_FORMAT_INVALID' | 'THEME_INVALID' | 'THEME_SLUG_INVALID';
    /** Get installed themes */
    getThemes: never;
    /** Get temporary payment password */
    getTmpPassword: 'PASSWORD_HASH_INVALID' | 'SRP_A_INVALID' | 'TMP_PASSWORD_DISABLED';
    /** Obtain all chat themes associated to owned collectible gifts. */
    getUniqueGiftChatThemes: 'OFFSET_INVALID';
    /** Get info about a certain wallpaper */
    getWallPaper: 'WALLPAPER_INVALID';
    /** Returns a list of available wallpapers. */
    getWallPapers: never;
    /** Get web login widget authorizations */
    getWebAuthorizations: never;
    getWebBrowserSettings: never;
    /** Initialize passkey registration for the current account, see here for more info on the full flow. */
    initPasskeyRegistration: 'ACCESS_DENIED';
    /** Initialize a takeout session, see here for more info. */
    initTakeoutSession: 'TAKEOUT_INIT_DELAY';
    /** Install a theme */
    installTheme: never;
    /** Install wallpaper */
    installWallPaper: 'WALLPAPER_INVALID';
    /** Invalidate the specified login codes, see here for more info. */
    invalidateSignInCodes: never;
    /** Register device to receive PUSH notifications */
    registerDevice:
      | 'TOKEN_EMPTY'
      | 'TOKEN_INVALID'
      | 'TOKEN_TYPE_INVALID'
      | 'WEBPUSH_AUTH_INVALID'
      | 'WEBPUSH_KEY_INVALID'
      | 'WEBPUSH_TOKEN_INVALID';
    /** Complete passkey registration for the current account, see here for more info on the full flow. */
    registerPasskey: 'CREDENTIAL_INVALID';
    /** Reorder usernames associated with the currently logged-in user. */
    reorderUsernames: 'ORDER_INVALID' | 'USERNAME_NOT_MODIFIED';
    /** Report a peer for violation of telegram's Terms of Service */
    reportPeer: 'CHANNEL_PRIVATE' | 'PEER_ID_INVALID';
    /** Report a profile photo of a dialog */
    reportProfilePhoto: 'PEER_ID_INVALID';
    /** Resend the code to verify an email to use as 2FA recovery method. */
    resendPasswordEmail: 'EMAIL_HASH_EXPIRED';
    /** Log out an active authorized session by its hash */
    resetAuthorization: 'FRESH_RESET_AUTHORISATION_FORBIDDEN' | 'HASH_INVALID';
    /** Resets all notification settings from users and groups. */
    resetNotifySettings: never;
    /** Initiate a 2FA password reset: can only be used if the user is already logged-in, see here for more info */
    resetPassword: 'PASSWORD_EMPTY';
    /** Delete all installed wallpapers, reverting to the default wallpaper set. */
    resetWallPapers: never;
    /** Log out an active web telegram login session */
    resetWebAuthorization: 'HASH_INVALID';
    /** Reset all active web telegram login sessions */
    resetWebAuthorizations: never;
    /** Resolve a business chat deep link. */
    resolveBusinessChatLink: 'CHATLINK_SLUG_EMPTY' | 'CHATLINK_SLUG_EXPIRED';
    /** Change media autodownload settings */
    saveAutoDownloadSettings: never;
    /** Modify autosave settings */
    saveAutoSaveSettings: 'PEER_ID_INVALID';
    /** Adds or removes a song from the current user's profile see here for more info on the music tab of the profile page. */
    saveMusic: 'DOCUMENT_INVALID';
    /** Save or remove saved notification sound. If the notification sound is already in MP3 format, account.savedRingtone will be returned. Otherwise, it will be automatically converted and a account.savedRingtoneConverted will be returned, containing a new document object that should be used to refer to the ringtone from now on (ie when deleting it using the unsave parameter, or when downloading it). */
    saveRingtone: 'RINGTONE_INVALID';
    /** Securely save Telegram Passport document, for more info see the passport docs */
    saveSecureValue: 'PASSWORD_REQUIRED' | 'SECURE_SECRET_REQUIRED';
    /** Save a theme */
    saveTheme: 'THEME_INVALID';
    /** Install/uninstall wallpaper */
    saveWallPaper: 'WALLPAPER_INVALID';
    /** Verify a new phone number to associate to the current account */
    sendChangePhoneCode:
      | 'FRESH_CHANGE_PHONE_FORBIDDEN'
      | 'PHONE_NUMBER_BANNED'
      | 'PHONE_NUMBER_INVALID'
      | 'PHONE_NUMBER_OCCUPIED';
    /** Send confirmation code to cancel account deletion, for more info click here */
    sendConfirmPhoneCode: 'HASH_INVALID';
    /** Send an email verification code. */
    sendVerifyEmailCode:
      | 'EMAIL_INVALID'
      | 'EMAIL_NOT_ALLOWED'
      | 'EMAIL_NOT_SETUP'
      | 'PHONE_CODE_EMPTY'
      | 'PHONE_HASH_EXPIRED'
      | 'PHONE_NUMBER_INVALID';
    /** Send the verification phone code for telegram passport. */
    sendVerifyPhoneCode: 'PHONE_NUMBER_INVALID';
    /** Set account self-destruction period */
    setAccountTTL: 'TTL_DAYS_INVALID';
    /** Set time-to-live of current session */
    setAuthorizationTTL: 'FRESH_RESET_AUTHORISATION_FORBIDDEN' | 'TTL_DAYS_INVALID';
    /** Toggle contact sign up notifications */
    setContactSignUpNotification: never;
    /** Set sensitive content settings (for viewing or hiding NSFW content) */
    setContentSettings: 'SENSITIVE_CHANGE_FORBIDDEN';
    /** Set global privacy settings */
    setGlobalPrivacySettings:
      | 'AUTOARCHIVE_NOT_AVAILABLE'
      | 'BOT_ACCESS_FORBIDDEN'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED';
    /** Changes the main profile tab of the current user, see here for more info. */
    setMainProfileTab: never;
    /** Change privacy settings of current account */
    setPrivacy: 'PRIVACY_KEY_INVALID' | 'PRIVACY_TOO_LONG' | 'PRIVACY_VALUE_INVALID';
    /** Change the reaction notification settings. */
    setReactionsNotifySettings: never;
    /** Pause or unpause a specific chat, temporarily disconnecting it from all business bots. */
    toggleConnectedBotPaused: 'PEER_ID_INVALID';
    /** Allow a user to send us messages without paying if paid messages are enabled. */
    toggleNoPaidMessagesException: 'PARENT_PEER_INVALID' | 'UNSUPPORTED' | 'USER_ID_INVALID';
    /** Disable or re-enable Telegram ads for the current Premium account. Useful for business owners that may want to launch and view their own Telegram ads via the Telegram ad platform. */
    toggleSponsoredMessages: never;
    /** Activate or deactivate a purchased fragment.com username associated to the currently logged-in user. */
    toggleUsername: 'USERNAMES_ACTIVE_TOO_MUCH' | 'USERNAME_INVALID' | 'USERNAME_NOT_MODIFIED';
    toggleWebBrowserSettingsException: never;
    /** Deletes a device by its token, stops sending PUSH-notifications to it. */
    unregisterDevice: 'TOKEN_INVALID';
    /** Update our birthday, see here for more info. */
    updateBirthday: 'BIRTHDAY_INVALID';
    /** Set a list of Telegram Business away messages. */
    updateBusinessAwayMessage: never;
    /** Set a list of Telegram Business greeting messages. */
    updateBusinessGreetingMessage: never;
    /** Set or remove the Telegram Business introduction. */
    updateBusinessIntro: never;
    /** Businesses may advertise their location using this method, see here for more info. To remove business location information invoke the method without setting any of the parameters. */
    updateBusinessLocation: never;
    /** Specify a set of Telegram Business opening hours. This info will be contained in userFull.business_work_hours. To remove all opening hours, invoke the method without setting the business_work_hours field. Note that the opening hours specified by the user must be appropriately validated and transformed before invoking the method, as specified here. */
    updateBusinessWorkHours:
      | 'BUSINESS_WORK_HOURS_EMPTY'
      | 'BUSINESS_WORK_HOURS_PERIOD_INVALID'
      | 'TIMEZONE_INVALID';
    /** Update the accent color and background custom emoji of the current account. */
    updateColor: 'COLOR_INVALID' | 'DOCUMENT_INVALID' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** Connect a business bot to the current account, or to change the current connection settings. */
    updateConnectedBot: 'BOT_BUSINESS_MISSING' | 'BUSINESS_RECIPIENTS_EMPTY' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** When client-side passcode lock feature is enabled, will not show message texts in incoming PUSH notifications. */
    updateDeviceLocked: never;
    /** Set an emoji status */
    updateEmojiStatus: 'COLLECTIBLE_INVALID' | 'DOCUMENT_INVALID';
    /** Edits notification settings from a given user/group, from all users/all groups. */
    updateNotifySettings:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'SETTINGS_INVALID';
    /** Set a new 2FA password */
    updatePasswordSettings:
      | 'EMAIL_INVALID'
      | 'EMAIL_UNCONFIRMED'
      | `EMAIL_UNCONFIRMED_${number}`
      | 'NEW_SALT_INVALID'
      | 'NEW_SETTINGS_EMPTY'
      | 'NEW_SETTINGS_INVALID'
      | 'PASSWORD_HASH_INVALID'
      | 'SRP_ID_INVALID'
      | 'SRP_PASSWORD_CHANGED';
    /** Associate (or remove) a personal channel, that will be listed on our personal profile page. Changing it will emit an RawUpdateUser update. */
    updatePersonalChannel: never;
    /** Updates user profile. */
    updateProfile: 'ABOUT_TOO_LONG' | 'BUSINESS_CONNECTION_INVALID' | 'FIRSTNAME_INVALID';
    /** Updates online user status. */
    updateStatus: never;
    /** Update theme */
    updateTheme:
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'THEME_INVALID';
    /** Changes username for the current user. */
    updateUsername:
      | 'USERNAME_INVALID'
      | 'USERNAME_NOT_MODIFIED'
      | 'USERNAME_OCCUPIED'
      | 'USERNAME_PURCHASE_AVAILABLE';
    updateWebBrowserSettings: never;
    /** Upload notification sound, use account.saveRingtone to convert it and add it to the list of saved notification sounds. */
    uploadRingtone: 'RINGTONE_MIME_INVALID';
    /** Upload theme */
    uploadTheme: 'THEME_FILE_INVALID' | 'THEME_MIME_INVALID';
    /** Create and upload a new wallpaper */
    uploadWallPaper: 'WALLPAPER_FILE_INVALID' | 'WALLPAPER_MIME_INVALID';
    /** Verify an email address. */
    verifyEmail:
      | 'CODE_INVALID'
      | 'EMAIL_INVALID'
      | 'EMAIL_NOT_ALLOWED'
      | 'EMAIL_VERIFY_EXPIRED'
      | 'PHONE_CODE_EXPIRED'
      | 'PHONE_NUMBER_INVALID';
    /** Verify a phone number for telegram passport. */
    verifyPhone: 'PHONE_CODE_EMPTY' | 'PHONE_CODE_EXPIRED' | 'PHONE_NUMBER_INVALID';
  };
  aicompose: {
    createTone: never;
    deleteTone: never;
    getTone: never;
    getToneExample: never;
    getTones: never;
    saveTone: never;
    updateTone: never;
  };
  auth: {
    /** Accept QR code login token, logging in the app that generated it. Returns info about the new session. For more info, see login via QR code. */
    acceptLoginToken:
      | 'AUTH_TOKEN_ALREADY_ACCEPTED'
      | 'AUTH_TOKEN_EXCEPTION'
      | 'AUTH_TOKEN_EXPIRED'
      | 'AUTH_TOKEN_INVALIDX';
    /** Binds a temporary authorization key temp_auth_key_id to the permanent authorization key perm_auth_key_id. Each permanent key may only be bound to one temporary key at a time, binding a new temporary key overwrites the previous one. For more information, see Perfect Forward Secrecy. */
    bindTempAuthKey:
      | 'ENCRYPTED_MESSAGE_INVALID'
      | 'EXPIRES_AT_INVALID'
      | 'TEMP_AUTH_KEY_ALREADY_BOUND'
      | 'TEMP_AUTH_KEY_EMPTY';
    /** Cancel the login verification code */
    cancelCode: 'PHONE_CODE_EXPIRED' | 'PHONE_NUMBER_INVALID';
    /** Checks the status of a login payment. */
    checkPaidAuth: 'PHONE_NUMBER_INVALID';
    /** Try logging to an account protected by a 2FA password. */
    checkPassword:
      | 'AUTH_KEY_UNSYNCHRONIZED'
      | 'PASSWORD_HASH_INVALID'
      | 'SRP_ID_INVALID'
      | 'SRP_PASSWORD_CHANGED';
    /** Check if the 2FA recovery code sent using auth.requestPasswordRecovery is valid, before passing it to auth.recoverPassword. */
    checkRecoveryPassword: 'CODE_EMPTY' | 'PASSWORD_RECOVERY_EXPIRED';
    /** Delete all temporary authorization keys except for the ones specified */
    dropTempAuthKeys: never;
    /** Returns data for copying authorization to another data-center. */
    exportAuthorization: 'DC_ID_INVALID';
    /** Generate a login token, for login via QR code. The generated login token should be encoded using base64url, then shown as a tg://login?token=base64encodedtoken deep link in the QR code. For more info, see login via QR code. */
    exportLoginToken: 'API_ID_INVALID' | 'API_ID_PUBLISHED_FLOOD';
    /** Complete login with a passkey over an unauthenticated connection, see here for more info. Must be sent to the user's native DC, as specified by the user_handle (dcId:userId) returned in the passkey assertion, see here for the full flow. */
    finishPasskeyLogin: 'AUTH_RESTART' | 'CREDENTIAL_INVALID' | 'PASSKEY_AUTH_RESTART';
    /** Logs in a user using a key transmitted from their native data-center. */
    importAuthorization: 'AUTH_BYTES_INVALID' | 'USER_ID_INVALID';
    /** Login as a bot */
    importBotAuthorization:
      | 'ACCESS_TOKEN_EXPIRED'
      | 'ACCESS_TOKEN_INVALID'
      | 'API_ID_INVALID'
      | 'API_ID_PUBLISHED_FLOOD';
    /** Login using a redirected login token, generated in case of DC mismatch during QR code login. For more info, see login via QR code. */
    importLoginToken:
      | 'AUTH_TOKEN_ALREADY_ACCEPTED'
      | 'AUTH_TOKEN_EXPIRED'
      | 'AUTH_TOKEN_INVALID'
      | 'AUTH_TOKEN_INVALIDX';
    /** Login by importing an authorization token */
    importWebTokenAuthorization: 'API_ID_INVALID';
    /** Initialize login with a passkey over an unauthenticated connection, see here for more info. */
    initPasskeyLogin: 'API_ID_INVALID' | 'AUTH_RESTART' | 'PASSKEY_AUTH_RESTART';
    /** Logs out the user. */
    logOut: never;
    /** Reset the 2FA password using the recovery code sent using auth.requestPasswordRecovery. */
    recoverPassword: 'CODE_EMPTY' | 'NEW_SETTINGS_INVALID';
    /** Official apps only, reports that the SMS authentication code wasn't delivered. */
    reportMissingCode: 'PHONE_NUMBER_INVALID';
    /** Request an SMS code via Firebase. */
    requestFirebaseSms: 'PHONE_CODE_EMPTY' | 'PHONE_NUMBER_INVALID';
    /** Request recovery code of a 2FA password, only for accounts with a recovery email configured. */
    requestPasswordRecovery: 'PASSWORD_EMPTY' | 'PASSWORD_RECOVERY_NA';
    /** Resend the login code via another medium, the phone code type is determined by the return value of the previous auth.sendCode/auth.resendCode: see login for more info. */
    resendCode:
      | 'EMAIL_INSTALL_MISSING'
      | 'PHONE_CODE_EMPTY'
      | 'PHONE_CODE_EXPIRED'
      | 'PHONE_CODE_HASH_EMPTY'
      | 'PHONE_NUMBER_INVALID'
      | 'SEND_CODE_UNAVAILABLE';
    /** Terminates all user's authorized sessions except for the current one. After calling this method it is necessary to reregister the current device using the method account.registerDevice */
    resetAuthorizations: 'FRESH_RESET_AUTHORISATION_FORBIDDEN';
    /** Reset the login email. */
    resetLoginEmail: 'EMAIL_INSTALL_MISSING' | 'PHONE_NUMBER_INVALID' | 'TASK_ALREADY_EXISTS';
    /** Send the verification code for login */
    sendCode:
      | 'API_ID_INVALID'
      | 'API_ID_PUBLISHED_FLOOD'
      | 'AUTH_RESTART'
      | `AUTH_RESTART_${number}`
      | 'PHONE_NUMBER_APP_SIGNUP_FORBIDDEN'
      | 'PHONE_NUMBER_BANNED'
      | 'PHONE_NUMBER_FLOOD'
      | 'PHONE_NUMBER_INVALID'
      | 'PHONE_PASSWORD_FLOOD'
      | 'PHONE_PASSWORD_PROTECTED'
      | 'SMS_CODE_CREATE_FAILED'
      | 'UPDATE_APP_TO_LOGIN';
    /** Signs in a user with a validated phone number. */
    signIn:
      | 'AUTH_RESTART'
      | 'PHONE_CODE_EMPTY'
      | 'PHONE_CODE_EXPIRED'
      | 'PHONE_CODE_INVALID'
      | 'PHONE_NUMBER_INVALID'
      | 'PHONE_NUMBER_UNOCCUPIED'
      | 'SIGN_IN_FAILED'
      | 'UPDATE_APP_TO_LOGIN';
    /** Registers a validated phone number in the system. */
    signUp:
      | 'FIRSTNAME_INVALID'
      | 'LASTNAME_INVALID'
      | 'PHONE_CODE_EMPTY'
      | 'PHONE_CODE_EXPIRED'
      | 'PHONE_CODE_INVALID'
      | 'PHONE_NUMBER_FLOOD'
      | 'PHONE_NUMBER_INVALID'
      | 'PHONE_NUMBER_OCCUPIED';
  };
  bots: {
    /** Add a main mini app preview, see here for more info. Only owners of bots with a configured Main Mini App can use this method, see see here for more info on how to check if you can invoke this method. */
    addPreviewMedia: 'BOT_INVALID';
    /** Allow the specified bot to send us messages */
    allowSendMessage: 'BOT_INVALID';
    /** Answers a custom query; for bots only */
    answerWebhookJSONQuery: 'DATA_JSON_INVALID' | 'QUERY_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Check whether the specified bot can send us messages */
    canSendMessage: 'BOT_INVALID';
    /** Check if a mini app can request the download of a specific file: called when handling web_app_request_file_download events */
    checkDownloadFileParams: 'BOT_INVALID';
    checkUsername: never;
    createBot: never;
    /** Delete a main mini app preview, see here for more info. Only owners of bots with a configured Main Mini App can use this method, see see here for more info on how to check if you can invoke this method. */
    deletePreviewMedia: 'BOT_INVALID';
    editAccessSettings: never;
    /** Edit a main mini app preview, see here for more info. Only owners of bots with a configured Main Mini App can use this method, see see here for more info on how to check if you can invoke this method. */
    editPreviewMedia: 'BOT_INVALID';
    exportBotToken: never;
    getAccessSettings: never;
    /** Get a list of bots owned by the current user */
    getAdminedBots: never;
    /** Obtain a list of bot commands for the specified bot scope and language code */
    getBotCommands: 'USER_BOT_REQUIRED';
    /** Get localized name, about text and description of a bot (or of the current account, if called by a bot). */
    getBotInfo: 'BOT_INVALID' | 'LANG_CODE_INVALID' | 'USER_BOT_INVALID';
    /** Gets the menu button action for a given user or for all users, previously set using bots.setBotMenuButton; users can see this information in the botInfo constructor. */
    getBotMenuButton: 'USER_BOT_REQUIRED';
    /** Obtain a list of similarly themed bots, selected based on similarities in their subscriber bases, see here for more info. */
    getBotRecommendations: 'BOT_INVALID';
    /** Fetch popular Main Mini Apps, to be used in the apps tab of global search. */
    getPopularAppBots: never;
    /** Bot owners only, fetch main mini app preview information, see here for more info. Note: technically non-owners may also invoke this method, but it will always behave exactly as bots.getPreviewMedias, returning only previews for the current language and an empty lang_codes array, regardless of the passed lang_code, so please only use bots.getPreviewMedias if you're not the owner of the bot. */
    getPreviewInfo: 'BOT_INVALID';
    /** Fetch main mini app previews, see here for more info. */
    getPreviewMedias: 'BOT_INVALID';
    getRequestedWebViewButton: never;
    /** Send a custom request from a mini bot app, triggered by a web_app_invoke_custom_method event. The response should be sent using a custom_method_invoked event, see here for more info on the flow. */
    invokeWebViewCustomMethod: 'BOT_INVALID' | 'DATA_JSON_INVALID' | 'METHOD_INVALID';
    /** Reorder a main mini app previews, see here for more info. Only owners of bots with a configured Main Mini App can use this method, see see here for more info on how to check if you can invoke this method. */
    reorderPreviewMedias: 'BOT_INVALID';
    /** Reorder usernames associated to a bot we own. */
    reorderUsernames: 'BOT_INVALID' | 'USERNAME_NOT_MODIFIED';
    requestWebViewButton: never;
    /** Clear bot commands for the specified bot scope and language code */
    resetBotCommands: 'LANG_CODE_INVALID' | 'USER_BOT_REQUIRED';
    /** Sends a custom request; for bots only */
    sendCustomRequest: 'DATA_JSON_INVALID' | 'METHOD_INVALID' | 'USER_BOT_REQUIRED';
    /** Set the default suggested admin rights for bots being added as admins to channels, see here for more info on how to handle them. */
    setBotBroadcastDefaultAdminRights: 'RIGHTS_NOT_MODIFIED' | 'USER_BOT_REQUIRED';
    /** Set bot command list */
    setBotCommands:
      | 'BOT_COMMAND_DESCRIPTION_INVALID'
      | 'BOT_COMMAND_INVALID'
      | 'LANG_CODE_INVALID'
      | 'PEER_ID_INVALID'
      | 'USER_BOT_REQUIRED'
      | 'USER_ID_INVALID';
    /** Set the default suggested admin rights for bots being added as admins to groups, see here for more info on how to handle them. */
    setBotGroupDefaultAdminRights: 'RIGHTS_NOT_MODIFIED' | 'USER_BOT_REQUIRED';
    /** Set localized name, about text and description of a bot (or of the current account, if called by a bot). */
    setBotInfo: 'BOT_INVALID' | 'USER_BOT_INVALID';
    /** Sets the menu button action for a given user or for all users */
    setBotMenuButton: 'BUTTON_INVALID' | 'BUTTON_TEXT_INVALID' | 'BUTTON_URL_INVALID' | 'USER_BOT_REQUIRED';
    /** Verify a user or chat on behalf of an organization. */
    setCustomVerification: 'BOT_INVALID' | 'BOT_VERIFIER_FORBIDDEN' | 'PEER_ID_INVALID';
    setJoinChatResults: never;
    /** Allow or prevent a bot from changing our emoji status */
    toggleUserEmojiStatusPermission: 'BOT_INVALID';
    /** Activate or deactivate a purchased fragment.com username associated to a bot we own. */
    toggleUsername: 'BOT_INVALID' | 'USERNAME_NOT_MODIFIED';
    /** Create, edit or delete the affiliate program of a bot we own */
    updateStarRefProgram:
      | 'BOT_INVALID'
      | 'STARREF_AWAITING_END'
      | 'STARREF_PERMILLE_INVALID'
      | 'STARREF_PERMILLE_TOO_LOW';
    /** Change the emoji status of a user (invoked by bots, see here for more info on the full flow) */
    updateUserEmojiStatus: 'USER_BOT_REQUIRED' | 'USER_ID_INVALID' | 'USER_PERMISSION_DENIED';
  };
  channels: {
    /** Check if the specified global post search requires payment. */
    checkSearchPostsFlood: never;
    /** Check if a username is free and can be assigned to a channel/supergroup */
    checkUsername:
      | 'CHANNELS_ADMIN_PUBLIC_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ID_INVALID'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USERNAME_INVALID'
      | 'USERNAME_OCCUPIED'
      | 'USERNAME_PURCHASE_AVAILABLE';
    /** Convert a supergroup to a gigagroup, when requested by channel suggestions. */
    convertToGigagroup:
      | 'CHANNEL_ID_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FORUM_ENABLED'
      | 'PARTICIPANTS_TOO_FEW';
    /** Create a supergroup/channel. */
    createChannel:
      | 'ADDRESS_INVALID'
      | 'CHANNELS_ADMIN_LOCATED_TOO_MUCH'
      | 'CHANNELS_TOO_MUCH'
      | 'CHAT_ABOUT_TOO_LONG'
      | 'CHAT_INVALID'
      | 'CHAT_TITLE_EMPTY'
      | 'TTL_PERIOD_INVALID'
      | 'USER_RESTRICTED';
    /** Create a forum topic. */
    createForumTopic:
      | 'CHANNEL_FORUM_MISSING'
      | 'CHANNEL_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'TOPIC_TITLE_EMPTY';
    /** Disable all purchased usernames of a supergroup or channel */
    deactivateAllUsernames: 'CHANNEL_INVALID';
    /** Delete a channel/supergroup */
    deleteChannel:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHANNEL_TOO_LARGE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN';
    /** Delete the history of a supergroup */
    deleteHistory:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PARICIPANT_MISSING'
      | 'CHANNEL_PRIVATE'
      | 'CHANNEL_TOO_BIG'
      | 'CHAT_ADMIN_REQUIRED';
    /** Delete messages in a channel/supergroup */
    deleteMessages:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'FROZEN_METHOD_INVALID'
      | 'MESSAGE_DELETE_FORBIDDEN'
      | 'MSG_ID_INVALID';
    /** Delete all messages sent by a specific participant of a given supergroup */
    deleteParticipantHistory:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'MSG_ID_INVALID'
      | 'PARTICIPANT_ID_INVALID';
    /** Delete message history of a forum topic */
    deleteTopicHistory:
      | 'CHANNEL_FORUM_MISSING'
      | 'CHANNEL_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'TOPIC_ID_INVALID';
    /** Modify the admin rights of a user in a supergroup/channel. */
    editAdmin:
      | 'ADMINS_TOO_MUCH'
      | 'ADMIN_RANK_EMOJI_NOT_ALLOWED'
      | 'ADMIN_RANK_INVALID'
      | 'BOTS_TOO_MUCH'
      | 'BOT_CHANNELS_NA'
      | 'BOT_GROUPS_BLOCKED'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_INVITE_REQUIRED'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FRESH_CHANGE_ADMINS_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'RIGHT_FORBIDDEN'
      | 'USERS_TOO_MUCH'
      | 'USER_BLOCKED'
      | 'USER_CHANNELS_TOO_MUCH'
      | 'USER_CREATOR'
      | 'USER_ID_INVALID'
      | 'USER_KICKED'
      | 'USER_NOT_MUTUAL_CONTACT'
      | 'USER_PRIVACY_RESTRICTED'
      | 'USER_RESTRICTED';
    /** Ban/unban/kick a user in a supergroup/channel. */
    editBanned:
      | 'BANNED_RIGHTS_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PARTICIPANT_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USER_ADMIN_INVALID'
      | 'USER_ID_INVALID';
    /** Transfer channel ownership */
    editCreator:
      | 'CHANNELS_ADMIN_PUBLIC_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_MEMBER_ADD_FAILED'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'PASSWORD_HASH_INVALID'
      | 'PASSWORD_MISSING'
      | `PASSWORD_TOO_FRESH_${number}`
      | `SESSION_TOO_FRESH_${number}`
      | 'SRP_ID_INVALID'
      | 'USERS_TOO_MUCH'
      | 'USER_CHANNELS_TOO_MUCH'
      | 'USER_ID_INVALID'
      | 'USER_NOT_MUTUAL_CONTACT'
      | 'USER_PRIVACY_RESTRICTED';
    /** Edit forum topic. */
    editForumTopic:
      | 'CHANNEL_FORUM_MISSING'
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'DOCUMENT_INVALID'
      | 'GENERAL_MODIFY_ICON_FORBIDDEN'
      | 'NOGENERAL_HIDE_FORBIDDEN'
      | 'TOPIC_CLOSE_SEPARATELY'
      | 'TOPIC_HIDE_SEPARATELY'
      | 'TOPIC_ID_INVALID'
      | 'TOPIC_NOT_MODIFIED';
    /** Edit location of geo group, see here for more info on geogroups. */
    editLocation:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'MEGAGROUP_GEO_REQUIRED'
      | 'MEGAGROUP_REQUIRED';
    /** Change the photo of a channel/supergroup */
    editPhoto:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FILE_PARTS_INVALID'
      | 'FILE_REFERENCE_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'PEER_ID_INVALID'
      | 'PHOTO_CROP_SIZE_SMALL'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_FILE_MISSING'
      | 'PHOTO_INVALID'
      | 'STICKER_MIME_INVALID';
    /** Edit the name of a channel/supergroup */
    editTitle:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_TITLE_EMPTY'
      | 'CHAT_WRITE_FORBIDDEN';
    /** Get link and embed info of a message in a channel/supergroup */
    exportMessageLink: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MESSAGE_ID_INVALID' | 'MSG_ID_INVALID';
    /** Get the admin log of a channel/supergroup */
    getAdminLog:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'MSG_ID_INVALID';
    /** Get channels/supergroups/geogroups we're admin in. Usually called when the user exceeds the config for owned public channels/supergroups/geogroups, and the user is given the choice to remove one of their channels/supergroups/geogroups. */
    getAdminedPublicChannels: 'CHANNELS_ADMIN_LOCATED_TOO_MUCH' | 'CHANNELS_ADMIN_PUBLIC_TOO_MUCH';
    /** Obtain a list of similarly themed public channels, selected based on similarities in their subscriber bases. */
    getChannelRecommendations: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'CHAT_NOT_MODIFIED';
    /** Get info about channels/supergroups */
    getChannels: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID' | 'USER_BANNED_IN_CHANNEL';
    /** Get topics of a forum */
    getForumTopics:
      | 'CHANNEL_FORUM_MISSING'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE';
    /** Get forum topics by their ID */
    getForumTopicsByID: 'CHANNEL_FORUM_MISSING' | 'CHANNEL_INVALID' | 'TOPICS_EMPTY';
    /** Get full info about a supergroup, gigagroup or channel */
    getFullChannel:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHANNEL_PUBLIC_GROUP_NA'
      | 'CHAT_NOT_MODIFIED'
      | 'MSG_ID_INVALID';
    /** Get all groups that can be used as discussion groups. Returned basic group chats must be first upgraded to supergroups before they can be set as a discussion group. To set a returned supergroup as a discussion group, access to its old messages must be enabled using channels.togglePreHistoryHidden, first. */
    getGroupsForDiscussion: never;
    /** Get inactive channels and supergroups */
    getInactiveChannels: never;
    /** Get a list of channels/supergroups we left, requires a takeout session, see here for more info. */
    getLeftChannels: 'TAKEOUT_INVALID' | 'TAKEOUT_REQUIRED';
    /** Can only be invoked by non-bot admins of a monoforum, obtains the original sender of a message sent by other monoforum admins to the monoforum, on behalf of the channel associated to the monoforum. */
    getMessageAuthor: 'CHANNEL_INVALID';
    /** Get channel/supergroup messages */
    getMessages:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_NOT_MODIFIED'
      | 'FROZEN_PARTICIPANT_MISSING'
      | 'MESSAGE_IDS_EMPTY'
      | 'MSG_ID_INVALID'
      | 'USER_BANNED_IN_CHANNEL';
    /** Get info about a channel/supergroup participant */
    getParticipant:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'MSG_ID_INVALID'
      | 'PARTICIPANT_ID_INVALID'
      | 'USER_ID_INVALID'
      | 'USER_NOT_PARTICIPANT';
    /** Get the participants of a supergroup/channel */
    getParticipants:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'MSG_ID_INVALID';
    /** Obtains a list of peers that can be used to send messages in a specific group */
    getSendAs: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'CHAT_ID_INVALID' | 'PEER_ID_INVALID';
    /** Invite users to a channel/supergroup */
    inviteToChannel:
      | 'BOTS_TOO_MUCH'
      | 'BOT_GROUPS_BLOCKED'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_INVALID'
      | 'CHAT_MEMBER_ADD_FAILED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'USERS_TOO_MUCH'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_BLOCKED'
      | 'USER_BOT'
      | 'USER_CHANNELS_TOO_MUCH'
      | 'USER_ID_INVALID'
      | 'USER_KICKED'
      | 'USER_NOT_MUTUAL_CONTACT'
      | 'USER_PRIVACY_RESTRICTED';
    /** Join a channel/supergroup */
    joinChannel:
      | 'CHANNELS_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_INVALID'
      | 'FROZEN_METHOD_INVALID'
      | 'INVITE_HASH_EMPTY'
      | 'INVITE_HASH_EXPIRED'
      | 'INVITE_HASH_INVALID'
      | 'INVITE_REQUEST_SENT'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USERS_TOO_MUCH'
      | 'USER_ALREADY_PARTICIPANT'
      | 'USER_CHANNELS_TOO_MUCH';
    /** Leave a channel/supergroup */
    leaveChannel:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHANNEL_PUBLIC_GROUP_NA'
      | 'CHAT_INVALID'
      | 'MSG_ID_INVALID'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_CREATOR'
      | 'USER_NOT_PARTICIPANT';
    /** Mark channel/supergroup history as read */
    readHistory: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID';
    /** Mark channel/supergroup message contents as read, emitting an RawUpdateChannelReadMessagesContents. */
    readMessageContents: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID';
    /** Reorder pinned forum topics */
    reorderPinnedForumTopics: 'CHANNEL_INVALID';
    /** Reorder active usernames */
    reorderUsernames: 'CHANNEL_INVALID' | 'CHAT_NOT_MODIFIED';
    /** Report a native antispam false positive */
    reportAntiSpamFalsePositive: 'CHANNEL_INVALID';
    /** Reports some messages from a user in a supergroup as spam; requires administrator rights in the supergroup */
    reportSpam:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'USER_ID_INVALID';
    /** Disable ads on the specified channel, for all users. Available only after reaching at least the boost level specified in the channel_restrict_sponsored_level_min config parameter. */
    restrictSponsoredMessages: 'CHANNEL_INVALID';
    /** Globally search for posts from public channels (including those we aren't a member of) containing either a specific hashtag, or a full text query. Exactly one of query and hashtag must be set. */
    searchPosts: 'FROZEN_METHOD_INVALID' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** Admins with chatAdminRights may allow users that apply a certain number of booosts to the group to bypass channels.toggleSlowMode and other supergroup restrictions, see here for more info. */
    setBoostsToUnblockRestrictions: 'CHANNEL_INVALID';
    /** Associate a group to a channel as discussion group for that channel */
    setDiscussionGroup:
      | 'BROADCAST_ID_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'LINK_NOT_MODIFIED'
      | 'MEGAGROUP_ID_INVALID'
      | 'MEGAGROUP_PREHISTORY_HIDDEN';
    /** Set a custom emoji stickerset for supergroups. Only usable after reaching at least the boost level specified in the group_emoji_stickers_level_min config parameter. */
    setEmojiStickers: 'CHANNEL_INVALID';
    /** Changes the main profile tab of a channel, see here for more info. */
    setMainProfileTab: 'CHANNEL_INVALID';
    /** Associate a stickerset to the supergroup */
    setStickers:
      | 'CHANNEL_INVALID'
      | 'CHAT_ID_INVALID'
      | 'PARTICIPANTS_TOO_FEW'
      | 'STICKERSET_OWNER_ANONYMOUS';
    /** Enable or disable the native antispam system. */
    toggleAntiSpam: 'CHANNEL_INVALID' | 'CHAT_NOT_MODIFIED';
    /** Toggle autotranslation in a channel, for all users: see here for more info. */
    toggleAutotranslation: 'CHANNEL_INVALID';
    /** Enable or disable forum functionality in a supergroup. */
    toggleForum:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_DISCUSSION_UNALLOWED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED';
    /** Set whether all users should request admin approval to join the group. */
    toggleJoinRequest:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_PUBLIC_REQUIRED';
    /** Set whether all users should join a discussion group in order to comment on a post */
    toggleJoinToSend: 'CHANNEL_INVALID' | 'CHAT_ADMIN_REQUIRED' | 'CHAT_ID_INVALID' | 'CHAT_NOT_MODIFIED';
    /** Hide or display the participants list in a supergroup. The supergroup must have at least hidden_members_group_size_min participants in order to use this method, as specified by the client configuration parameters. */
    toggleParticipantsHidden:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'PARTICIPANTS_TOO_FEW';
    /** Hide/unhide message history for new channel/supergroup users */
    togglePreHistoryHidden:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_LINK_EXISTS'
      | 'CHAT_NOT_MODIFIED'
      | 'FORUM_ENABLED';
    /** Enable/disable message signatures in channels */
    toggleSignatures: 'CHANNEL_INVALID' | 'CHAT_ADMIN_REQUIRED' | 'CHAT_ID_INVALID' | 'CHAT_NOT_MODIFIED';
    /** Toggle supergroup slow mode: if enabled, users will only be able to send one message every seconds seconds */
    toggleSlowMode:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'SECONDS_INVALID';
    /** Activate or deactivate a purchased fragment.com username associated to a supergroup or channel we own. */
    toggleUsername:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'USERNAMES_ACTIVE_TOO_MUCH'
      | 'USERNAME_INVALID'
      | 'USERNAME_NOT_MODIFIED';
    /** Users may also choose to display messages from all topics of a forum as if they were sent to a normal group, using a "View as messages" setting in the local client: this setting only affects the current account, and is synced to other logged in sessions using this method. Invoking this method will update the value of the view_forum_as_messages flag of channelFull or dialog and emit an RawUpdateChannelViewForumAsMessages. */
    toggleViewForumAsMessages: 'CHANNEL_INVALID';
    /** Update the accent color and background custom emoji of a channel. */
    updateColor: 'BOOSTS_REQUIRED' | 'CHANNEL_INVALID';
    /** Set an emoji status for a channel or supergroup. */
    updateEmojiStatus: 'CHANNEL_INVALID';
    /** Enable or disable paid messages in this supergroup or monoforum. Also used to enable or disable monoforums aka direct messages in a channel. Note that passing the ID of the monoforum itself to channel will return a CHANNEL_MONOFORUM_UNSUPPORTED error: pass the ID of the associated channel to edit the settings of the associated monoforum, instead. */
    updatePaidMessagesPrice:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHAT_NOT_MODIFIED'
      | 'STARS_AMOUNT_INVALID';
    /** Pin or unpin forum topics */
    updatePinnedForumTopic: 'CHANNEL_INVALID' | 'PINNED_TOO_MUCH' | 'TOPIC_ID_INVALID';
    /** Change or remove the username of a supergroup/channel */
    updateUsername:
      | 'CHANNELS_ADMIN_PUBLIC_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'USERNAME_INVALID'
      | 'USERNAME_NOT_MODIFIED'
      | 'USERNAME_OCCUPIED'
      | 'USERNAME_PURCHASE_AVAILABLE';
  };
  chatlists: {
    /** Obtain information about a chat folder deep link. */
    checkChatlistInvite: 'INVITE_SLUG_EMPTY' | 'INVITE_SLUG_EXPIRED';
    /** Delete a previously created chat folder deep link. */
    deleteExportedInvite:
      | 'FILTER_ID_INVALID'
      | 'FILTER_NOT_SUPPORTED'
      | 'INVITE_SLUG_EXPIRED'
      | 'INVITE_SLUG_INVALID';
    /** Edit a chat folder deep link. */
    editExportedInvite:
      | 'CHANNEL_INVALID'
      | 'FILTER_ID_INVALID'
      | 'FILTER_NOT_SUPPORTED'
      | 'INVITE_SLUG_EMPTY'
      | 'INVITE_SLUG_EXPIRED'
      | 'PEERS_LIST_EMPTY';
    /** Export a folder, creating a chat folder deep link. */
    exportChatlistInvite:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHATLISTS_TOO_MUCH'
      | 'CHAT_ADMIN_REQUIRED'
      | 'FILTER_ID_INVALID'
      | 'FILTER_NOT_SUPPORTED'
      | 'INVITES_TOO_MUCH'
      | 'PEERS_LIST_EMPTY';
    /** Fetch new chats associated with an imported chat folder deep link. Must be invoked at most every chatlist_update_period seconds (as per the related client configuration parameter). */
    getChatlistUpdates: 'FILTER_ID_INVALID' | 'FILTER_NOT_SUPPORTED' | 'INPUT_CHATLIST_INVALID';
    /** List all chat folder deep links associated to a folder */
    getExportedInvites: 'FILTER_ID_INVALID';
    /** Returns identifiers of pinned or always included chats from a chat folder imported using a chat folder deep link, which are suggested to be left when the chat folder is deleted. */
    getLeaveChatlistSuggestions: 'FILTER_ID_INVALID' | 'FILTER_NOT_SUPPORTED';
    /** Dismiss new pending peers recently added to a chat folder deep link. */
    hideChatlistUpdates: 'FILTER_ID_INVALID' | 'FILTER_NOT_SUPPORTED';
    /** Import a chat folder deep link, joining some or all the chats in the folder. */
    joinChatlistInvite:
      | 'CHANNELS_TOO_MUCH'
      | 'CHATLISTS_TOO_MUCH'
      | 'FILTER_INCLUDE_EMPTY'
      | 'INVITE_SLUG_EMPTY'
      | 'INVITE_SLUG_EXPIRED';
    /** Join channels and supergroups recently added to a chat folder deep link. */
    joinChatlistUpdates: 'FILTER_ID_INVALID' | 'FILTER_INCLUDE_EMPTY';
    /** Delete a folder imported using a chat folder deep link */
    leaveChatlist: 'FILTER_ID_INVALID';
  };
  contacts: {
    /** If the add contact action bar is active, add that user as contact */
    acceptContact: 'CONTACT_ADD_MISSING' | 'CONTACT_ID_INVALID' | 'CONTACT_REQ_MISSING' | 'MSG_ID_INVALID';
    /** Add an existing telegram user as contact. Use contacts.importContacts to add contacts by phone number, without knowing their Telegram ID. */
    addContact: 'CHANNEL_PRIVATE' | 'CONTACT_ID_INVALID' | 'CONTACT_NAME_EMPTY' | 'MSG_ID_INVALID';
    /** Adds a peer to a blocklist, see here for more info. */
    block:
      | 'CHANNEL_PRIVATE'
      | 'CONTACT_ID_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Stop getting notifications about discussion replies of a certain user in @replies */
    blockFromReplies: 'MSG_ID_INVALID';
    /** Delete contacts by phone number */
    deleteByPhones: never;
    /** Deletes several contacts from the list. */
    deleteContacts: 'MSG_ID_INVALID';
    /** Edit the close friends list, see here for more info. */
    editCloseFriends: never;
    /** Generates a temporary profile link for the currently logged-in user. */
    exportContactToken: never;
    /** Fetch all users with birthdays that fall within +1/-1 days, relative to the current day: this method should be invoked by clients every 6-8 hours, and if the result is non-empty, it should be used to appropriately update locally cached birthday information in user.birthday. See here for more info. */
    getBirthdays: never;
    /** Returns the list of blocked users. */
    getBlocked: never;
    /** Get the telegram IDs of all contacts. Returns an array of Telegram user IDs for all contacts (0 if a contact does not have an associated Telegram account or have hidden their account using privacy settings). */
    getContactIDs: never;
    /** Returns the current user's contact list. */
    getContacts: never;
    /** Get users and geochats near you, see here for more info. */
    getLocated:
      | 'BUSINESS_ADDRESS_ACTIVE'
      | 'GEO_POINT_INVALID'
      | 'USERPIC_PRIVACY_REQUIRED'
      | 'USERPIC_UPLOAD_REQUIRED';
    /** Get all contacts, requires a takeout session, see here for more info. */
    getSaved: 'TAKEOUT_INVALID' | 'TAKEOUT_REQUIRED';
    /** Obtain a list of sponsored peer search results for a given query */
    getSponsoredPeers: 'SEARCH_QUERY_EMPTY';
    /** Use this method to obtain the online statuses of all contacts with an accessible Telegram account. */
    getStatuses: never;
    /** Get most used peers */
    getTopPeers: 'TYPES_EMPTY';
    /** Obtain user info from a temporary profile link. */
    importContactToken: 'IMPORT_TOKEN_INVALID';
    /** Imports contacts: saves a full list on the server, adds already registered contacts to the contact list, returns added contacts and their info. Use contacts.addContact to add Telegram contacts without actually using their phone number. */
    importContacts: never;
    /** Removes all contacts without an associated Telegram account. */
    resetSaved: never;
    /** Reset rating of top peer */
    resetTopPeerRating: 'PEER_ID_INVALID';
    /** Resolve a phone number to get user info, if their privacy settings allow it. Make sure to implement client-side ratelimiting/debounce for this method, allowing at most 1 call every 3 seconds. */
    resolvePhone: 'PHONE_NOT_OCCUPIED';
    /** Resolve a @username to get peer info */
    resolveUsername:
      | 'CONNECTION_LAYER_INVALID'
      | 'STARREF_EXPIRED'
      | 'USERNAME_INVALID'
      | 'USERNAME_NOT_OCCUPIED';
    /** Returns users found by username substring. */
    search: 'QUERY_TOO_SHORT' | 'SEARCH_QUERY_EMPTY';
    /** Replace the contents of an entire blocklist, see here for more info. */
    setBlocked: never;
    /** Enable/disable top peers */
    toggleTopPeers: never;
    /** Deletes a peer from a blocklist, see here for more info. */
    unblock: 'CHANNEL_PRIVATE' | 'CONTACT_ID_INVALID' | 'MSG_ID_INVALID' | 'PEER_ID_INVALID';
    /** Update the private note associated to a contact; see here for more info. */
    updateContactNote: 'CONTACT_ID_INVALID';
  };
  folders: {
    /** Edit peers in peer folder */
    editPeerFolders: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'CHAT_ID_INVALID' | 'FOLDER_ID_INVALID';
  };
  fragment: {
    /** Fetch information about a fragment collectible, see here for more info on the full flow. */
    getCollectibleInfo: 'COLLECTIBLE_INVALID' | 'COLLECTIBLE_NOT_FOUND';
  };
  help: {
    /** Accept the new terms of service */
    acceptTermsOfService: 'DATA_JSON_INVALID';
    /** Dismiss a suggestion, see here for more info. */
    dismissSuggestion: never;
    /** Internal use */
    editUserInfo: 'ENTITY_BOUNDS_INVALID' | 'USER_INVALID';
    /** Get app-specific configuration, see client configuration for more info on the result. */
    getAppConfig: never;
    /** Returns information on update availability for the current application. */
    getAppUpdate: never;
    /** Get configuration for CDN file downloads. */
    getCdnConfig: never;
    /** Returns current configuration, including data center configuration. */
    getConfig:
      | 'CONNECTION_API_ID_INVALID'
      | 'CONNECTION_APP_VERSION_EMPTY'
      | 'CONNECTION_LAYER_INVALID'
      | 'DATA_INVALID'
      | 'MSG_ID_INVALID'
      | 'USERNAME_INVALID'
      | 'USER_PRIVACY_RESTRICTED';
    /** Get name, ISO code, localized name and phone codes/patterns of all available countries */
    getCountriesList: never;
    /** Get info about an unsupported deep link, see here for more info. */
    getDeepLinkInfo: never;
    /** Returns localized text of a text message with an invitation. */
    getInviteText: never;
    /** Returns info on data center nearest to the user. */
    getNearestDc: never;
    /** Get passport configuration */
    getPassportConfig: never;
    /** Get the set of accent color palettes that can be used for message accents. */
    getPeerColors: never;
    /** Get the set of accent color palettes that can be used in profile page backgrounds. */
    getPeerProfileColors: never;
    /** Get Telegram Premium promotion information */
    getPremiumPromo: never;
    /** Returns a set of useful suggestions and PSA/MTProxy sponsored peers, see here for more info. */
    getPromoData: never;
    /** Get recently used t.me links. When installing official applications from "Download Telegram" buttons present in t.me pages, a referral parameter is passed to applications after installation. If, after downloading the application, the user creates a new account (instead of logging into an existing one), the referral parameter should be imported using this method, which returns the t.me pages the user recently opened, before installing Telegram. */
    getRecentMeUrls: never;
    /** Returns the support user for the "ask a question" feature. */
    getSupport: never;
    /** Get localized name of the telegram support user */
    getSupportName: 'USER_INVALID';
    /** Look for updates of telegram's terms of service */
    getTermsOfServiceUpdate: never;
    /** Returns timezone information that may be used elsewhere in the API, such as to set Telegram Business opening hours. */
    getTimezonesList: never;
    /** Can only be used by TSF members to obtain internal information. */
    getUserInfo: 'USER_INVALID';
    /** Hide MTProxy/Public Service Announcement information */
    hidePromoData: never;
    /** Saves logs of application on the server. */
    saveAppLog: never;
    /** Informs the server about the number of pending bot updates if they haven't been processed for a long time; for bots only */
    setBotUpdatesStatus: 'USER_BOT_REQUIRED';
  };
  langpack: {
    /** Get new strings in language pack */
    getDifference: 'LANG_PACK_INVALID';
    /** Get localization pack strings */
    getLangPack: 'LANGUAGE_INVALID' | 'LANG_CODE_NOT_SUPPORTED' | 'LANG_PACK_INVALID';
    /** Get information about a language in a localization pack */
    getLanguage: 'LANG_CODE_NOT_SUPPORTED' | 'LANG_PACK_INVALID';
    /** Get information about all languages in a localization pack */
    getLanguages: 'LANG_PACK_INVALID';
    /** Get strings from a language pack */
    getStrings: 'LANG_CODE_NOT_SUPPORTED' | 'LANG_PACK_INVALID';
  };
  messages: {
    /** Confirms creation of a secret chat */
    acceptEncryption: 'CHAT_ID_INVALID' | 'ENCRYPTION_ALREADY_ACCEPTED' | 'ENCRYPTION_ALREADY_DECLINED';
    /** Use this to accept a Seamless Telegram Login authorization request, for more info click here */
    acceptUrlAuth: never;
    /** Adds a user to a chat and sends a service message on it. */
    addChatUser:
      | 'BOT_GROUPS_BLOCKED'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_INVALID'
      | 'CHAT_MEMBER_ADD_FAILED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USERS_TOO_MUCH'
      | 'USER_ALREADY_PARTICIPANT'
      | 'USER_ID_INVALID'
      | 'USER_IS_BLOCKED'
      | 'USER_NOT_MUTUAL_CONTACT'
      | 'USER_PRIVACY_RESTRICTED'
      | 'YOU_BLOCKED_USER';
    addPollAnswer: never;
    /** Appends one or more items to a todo list. */
    appendTodoList: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID' | 'TODO_ITEM_DUPLICATE' | 'TODO_NOT_MODIFIED';
    /** Check the validity of a chat invite link and get basic info about it */
    checkChatInvite: 'CHANNEL_PRIVATE' | 'INVITE_HASH_EMPTY' | 'INVITE_HASH_EXPIRED' | 'INVITE_HASH_INVALID';
    /** Obtains information about a chat export file, generated by a foreign chat app, click here for more info about imported chats. */
    checkHistoryImport: 'IMPORT_FORMAT_UNRECOGNIZED';
    /** Check whether chat history exported from another chat app can be imported into a specific Telegram chat, click here for more info. If the check succeeds, and no RPC errors are returned, a messages.CheckedHistoryImportPeer constructor will be returned, with a confirmation text to be shown to the user, before actually initializing the import. */
    checkHistoryImportPeer: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID' | 'USER_NOT_MUTUAL_CONTACT';
    /** Before offering the user the choice to add a message to a quick reply shortcut, to make sure that none of the limits specified here were reached. */
    checkQuickReplyShortcut: 'PREMIUM_ACCOUNT_REQUIRED';
    checkUrlAuthMatchCode: never;
    /** Clear all drafts. */
    clearAllDrafts: never;
    /** Clear recently used message reactions */
    clearRecentReactions: never;
    /** Clear recent stickers */
    clearRecentStickers: never;
    /** Informs the server that the user has interacted with a sponsored message in one of the ways listed here. */
    clickSponsoredMessage: never;
    /** Invokes telegram's AI Editor that can translate, transform, fixup and/or emojify your message in a number of different ways, privately powered by Cocoon, see here for more info! All of the modes specified below can be combined. */
    composeMessageWithAI: never;
    /** Creates a new chat. */
    createChat:
      | 'CHAT_ID_GENERATE_FAILED'
      | 'CHAT_INVALID'
      | 'CHAT_MEMBER_ADD_FAILED'
      | 'CHAT_TITLE_EMPTY'
      | 'INPUT_USER_DEACTIVATED'
      | 'TTL_PERIOD_INVALID'
      | 'USERS_TOO_FEW'
      | 'USER_RESTRICTED';
    /** Create a forum topic. */
    createForumTopic: 'CHANNEL_FORUM_MISSING' | 'CHANNEL_INVALID' | 'PEER_ID_INVALID';
    declineUrlAuth: never;
    /** Delete a chat */
    deleteChat: 'CHAT_ADMIN_REQUIRED' | 'CHAT_ID_INVALID' | 'PEER_ID_INVALID';
    /** Deletes a user from a chat and sends a service message on it. */
    deleteChatUser:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'PEER_ID_INVALID'
      | 'USER_ID_INVALID'
      | 'USER_NOT_PARTICIPANT';
    /** Delete a chat invite */
    deleteExportedChatInvite:
      | 'CHAT_ADMIN_REQUIRED'
      | 'INVITE_HASH_EXPIRED'
      | 'INVITE_REVOKED_MISSING'
      | 'PEER_ID_INVALID';
    /** Delete a fact-check from a message. Can only be used by independent fact-checkers as specified by the appConfig.can_edit_factcheck configuration flag. */
    deleteFactCheck: 'CHAT_ACTION_FORBIDDEN' | 'PEER_ID_INVALID';
    /** Deletes communication history. */
    deleteHistory:
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_REVOKE_DATE_UNSUPPORTED'
      | 'MAX_DATE_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'MIN_DATE_INVALID'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Deletes messages by their identifiers. */
    deleteMessages:
      | 'BOT_ACCESS_FORBIDDEN'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'MESSAGE_DELETE_FORBIDDEN'
      | 'MESSAGE_ID_INVALID'
      | 'SELF_DELETE_RESTRICTED';
    deleteParticipantReaction: never;
    deleteParticipantReactions: never;
    /** Delete the entire phone call history. */
    deletePhoneCallHistory: never;
    deletePollAnswer: never;
    /** Delete one or more messages from a quick reply shortcut. This will also emit an RawUpdateDeleteQuickReplyMessages update. */
    deleteQuickReplyMessages: 'SHORTCUT_INVALID';
    /** Completely delete a quick reply shortcut. This will also emit an RawUpdateDeleteQuickReply update to other logged-in sessions (and no RawUpdateDeleteQuickReplyMessages updates, even if all the messages in the shortcuts are also deleted by this method). */
    deleteQuickReplyShortcut: 'SHORTCUT_INVALID';
    /** Delete all revoked chat invites */
    deleteRevokedExportedChatInvites: 'ADMIN_ID_INVALID' | 'PEER_ID_INVALID';
    /** Deletes messages from a monoforum topic, or deletes messages forwarded from a specific peer to saved messages. */
    deleteSavedHistory: 'PEER_ID_INVALID';
    /** Delete scheduled messages */
    deleteScheduledMessages: 'CHANNEL_INVALID' | 'MESSAGE_DELETE_FORBIDDEN' | 'PEER_ID_INVALID';
    /** Delete message history of a forum topic */
    deleteTopicHistory: 'CHANNEL_INVALID';
    /** Cancels a request for creation and/or delete info on secret chat. */
    discardEncryption:
      | 'CHAT_ID_EMPTY'
      | 'ENCRYPTION_ALREADY_ACCEPTED'
      | 'ENCRYPTION_ALREADY_DECLINED'
      | 'ENCRYPTION_DECLINE_ADMIN_FAILED'
      | 'ENCRYPTION_ID_INVALID';
    /** Edit the description of a group/supergroup/channel. */
    editChatAbout:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ABOUT_NOT_MODIFIED'
      | 'CHAT_ABOUT_TOO_LONG'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'PEER_ID_INVALID';
    /** Make a user admin in a basic group. */
    editChatAdmin: 'CHAT_ID_INVALID' | 'PEER_ID_INVALID' | 'USER_ID_INVALID' | 'USER_NOT_PARTICIPANT';
    editChatCreator: never;
    /** Edit the default banned rights of a channel/supergroup/group. */
    editChatDefaultBannedRights:
      | 'BANNED_RIGHTS_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'PEER_ID_INVALID'
      | 'UNTIL_DATE_INVALID';
    /** Edit a group participant's tag. */
    editChatParticipantRank: never;
    /** Changes chat photo and sends a service message on it */
    editChatPhoto:
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'IMAGE_PROCESS_FAILED'
      | 'PEER_ID_INVALID'
      | 'PHOTO_CROP_SIZE_SMALL'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_INVALID';
    /** Changes chat name and sends a service message on it. */
    editChatTitle:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_TITLE_EMPTY'
      | 'PEER_ID_INVALID';
    /** Edit an exported chat invite */
    editExportedChatInvite:
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_INVITE_PERMANENT'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'EDIT_BOT_INVITE_FORBIDDEN'
      | 'INVITE_HASH_EXPIRED'
      | 'PEER_ID_INVALID'
      | 'USAGE_LIMIT_INVALID';
    /** Edit/create a fact-check on a message. Can only be used by independent fact-checkers as specified by the appConfig.can_edit_factcheck configuration flag. */
    editFactCheck: 'CHAT_ACTION_FORBIDDEN' | 'PEER_ID_INVALID';
    /** Edit forum topic. */
    editForumTopic: 'CHANNEL_INVALID';
    /** Edit an inline bot message */
    editInlineBotMessage:
      | 'BUTTON_DATA_INVALID'
      | 'ENTITY_BOUNDS_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_NOT_MODIFIED';
    /** Edit message */
    editMessage:
      | 'BOT_DOMAIN_INVALID'
      | 'BOT_INVALID'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'BUTTON_COPY_TEXT_INVALID'
      | 'BUTTON_DATA_INVALID'
      | 'BUTTON_TYPE_INVALID'
      | 'BUTTON_URL_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_FORWARDS_RESTRICTED'
      | 'CHAT_SEND_GIFS_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'DOCUMENT_INVALID'
      | 'ENTITIES_TOO_LONG'
      | 'ENTITY_BOUNDS_INVALID'
      | 'FILE_PARTS_INVALID'
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'INLINE_BOT_REQUIRED'
      | 'INPUT_USER_DEACTIVATED'
      | 'MEDIA_CAPTION_TOO_LONG'
      | 'MEDIA_EMPTY'
      | 'MEDIA_GROUPED_INVALID'
      | 'MEDIA_INVALID'
      | 'MEDIA_NEW_INVALID'
      | 'MEDIA_PREV_INVALID'
      | 'MEDIA_TTL_INVALID'
      | 'MESSAGE_AUTHOR_REQUIRED'
      | 'MESSAGE_EDIT_TIME_EXPIRED'
      | 'MESSAGE_EMPTY'
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_NOT_MODIFIED'
      | 'MESSAGE_TOO_LONG'
      | 'MSG_ID_INVALID'
      | 'MSG_WAIT_FAILED'
      | 'PEER_ID_INVALID'
      | 'PEER_TYPES_INVALID'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_INVALID_DIMENSIONS'
      | 'PHOTO_SAVE_FILE_INVALID'
      | 'REPLY_MARKUP_INVALID'
      | 'REPLY_MARKUP_TOO_LONG'
      | 'SCHEDULE_DATE_INVALID'
      | 'TODO_ITEMS_EMPTY'
      | 'TODO_ITEM_DUPLICATE'
      | 'USER_BANNED_IN_CHANNEL'
      | 'WEBPAGE_NOT_FOUND';
    /** Rename a quick reply shortcut. This will emit an RawUpdateQuickReplies update to other logged-in sessions. */
    editQuickReplyShortcut: 'PREMIUM_ACCOUNT_REQUIRED' | 'SHORTCUT_INVALID';
    /** Export an invite link for a chat */
    exportChatInvite:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'EXPIRE_DATE_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PRICING_CHAT_INVALID'
      | 'SUBSCRIPTION_PERIOD_INVALID'
      | 'USAGE_LIMIT_INVALID';
    /** Mark or unmark a sticker as favorite */
    faveSticker: 'STICKER_ID_INVALID';
    /** Forwards messages by their IDs. */
    forwardMessages:
      | 'ALLOW_PAYMENT_REQUIRED'
      | `ALLOW_PAYMENT_REQUIRED_${number}`
      | 'BROADCAST_PUBLIC_VOTERS_FORBIDDEN'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_FORWARDS_RESTRICTED'
      | 'CHAT_GUEST_SEND_FORBIDDEN'
      | 'CHAT_ID_INVALID'
      | 'CHAT_RESTRICTED'
      | 'CHAT_SEND_AUDIOS_FORBIDDEN'
      | 'CHAT_SEND_DOCS_FORBIDDEN'
      | 'CHAT_SEND_GAME_FORBIDDEN'
      | 'CHAT_SEND_GIFS_FORBIDDEN'
      | 'CHAT_SEND_INLINE_FORBIDDEN'
      | 'CHAT_SEND_MEDIA_FORBIDDEN'
      | 'CHAT_SEND_PHOTOS_FORBIDDEN'
      | 'CHAT_SEND_PLAIN_FORBIDDEN'
      | 'CHAT_SEND_POLL_FORBIDDEN'
      | 'CHAT_SEND_STICKERS_FORBIDDEN'
      | 'CHAT_SEND_VIDEOS_FORBIDDEN'
      | 'CHAT_SEND_VOICES_FORBIDDEN'
      | 'CHAT_SEND_WEBPAGE_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'GROUPED_MEDIA_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'MEDIA_EMPTY'
      | 'MESSAGE_IDS_EMPTY'
      | 'MESSAGE_ID_INVALID'
      | 'MSG_ID_INVALID'
      | 'NEED_DOC_INVALID'
      | 'PAYMENT_UNSUPPORTED'
      | 'PEER_ID_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'PRIVACY_PREMIUM_REQUIRED'
      | 'QUICK_REPLIES_BOT_NOT_ALLOWED'
      | 'QUICK_REPLIES_TOO_MUCH'
      | 'QUIZ_ANSWER_MISSING'
      | 'RANDOM_ID_DUPLICATE'
      | 'RANDOM_ID_INVALID'
      | 'REPLY_MESSAGES_TOO_MUCH'
      | 'REPLY_TO_MONOFORUM_PEER_INVALID'
      | 'SCHEDULE_BOT_NOT_ALLOWED'
      | 'SCHEDULE_DATE_TOO_LATE'
      | 'SCHEDULE_TOO_MUCH'
      | 'SEND_AS_PEER_INVALID'
      | 'SLOWMODE_MULTI_MSGS_DISABLED'
      | 'SLOWMODE_WAIT'
      | 'SUGGESTED_POST_PEER_INVALID'
      | 'TOPIC_CLOSED'
      | 'TOPIC_DELETED'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_IS_BLOCKED'
      | 'USER_IS_BOT'
      | 'VOICE_MESSAGES_FORBIDDEN'
      | 'YOU_BLOCKED_USER';
    /** Get info about chat invites generated by admins. */
    getAdminsWithInvites: 'CHAT_ADMIN_REQUIRED' | 'CHAT_WRITE_FORBIDDEN' | 'PEER_ID_INVALID';
    /** Return all message drafts. Returns all the latest RawUpdateDraftMessage updates related to all chats with drafts. */
    getAllDrafts: never;
    /** Get all installed stickers */
    getAllStickers: never;
    /** Get all archived stickers */
    getArchivedStickers: never;
    /** Returns attachment menu entry for a bot mini app that can be launched from the attachment menu */
    getAttachMenuBot: 'BOT_INVALID';
    /** Returns installed attachment menu bot mini apps */
    getAttachMenuBots: never;
    /** Get stickers attached to a photo or video */
    getAttachedStickers: 'MEDIA_EMPTY';
    /** Fetch the full list of usable animated message effects. */
    getAvailableEffects: never;
    /** Obtain available message reactions */
    getAvailableReactions: never;
    /** Obtain information about a direct link Mini App */
    getBotApp: 'BOT_APP_BOT_INVALID' | 'BOT_APP_INVALID' | 'BOT_APP_SHORTNAME_INVALID';
    /** Press an inline callback button and get a callback answer from the bot */
    getBotCallbackAnswer:
      | 'BOT_RESPONSE_TIMEOUT'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'DATA_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'MSG_ID_INVALID'
      | 'PASSWORD_MISSING'
      | 'PEER_ID_INVALID'
      | 'Timeout';
    /** Get info about the users that joined the chat using a specific chat invite */
    getChatInviteImporters:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INVITE_HASH_EXPIRED'
      | 'PEER_ID_INVALID'
      | 'SEARCH_WITH_LINK_NOT_SUPPORTED';
    /** Returns chat basic info on their IDs. */
    getChats: 'CHAT_ID_INVALID' | 'PEER_ID_INVALID';
    /** Get chats in common with a user */
    getCommonChats: 'MSG_ID_INVALID' | 'USER_ID_INVALID';
    /** Fetch custom emoji stickers. Returns a list of document with the animated custom emoji in TGS format, and a documentAttributeCustomEmoji attribute with the original emoji and info about the emoji stickerset this custom emoji belongs to. */
    getCustomEmojiDocuments: never;
    /** Gets the default value of the Time-To-Live setting, applied to all new chats. */
    getDefaultHistoryTTL: never;
    /** Fetch a default recommended list of saved message tag reactions. */
    getDefaultTagReactions: never;
    /** Returns configuration parameters for Diffie-Hellman key generation. Can also return a random sequence of bytes of required length. */
    getDhConfig: 'RANDOM_LENGTH_INVALID';
    /** Get folders */
    getDialogFilters: never;
    /** Get dialogs manually marked as unread */
    getDialogUnreadMarks: never;
    /** Returns the current user dialog list. */
    getDialogs:
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FOLDER_ID_INVALID'
      | 'OFFSET_PEER_ID_INVALID'
      | 'PINNED_DIALOGS_TOO_MUCH'
      | 'TAKEOUT_INVALID';
    /** Get discussion message from the associated discussion group of a channel to show it on top of the comment section, without actually joining the group */
    getDiscussionMessage:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'TOPIC_ID_INVALID';
    /** Get a document by its SHA256 hash, mainly used for gifs */
    getDocumentByHash: 'SHA256_HASH_INVALID';
    getEmojiGameInfo: never;
    /** Represents a list of emoji categories. */
    getEmojiGroups: never;
    /** Get localized emoji keywords. */
    getEmojiKeywords: never;
    /** Get changed emoji keywords. */
    getEmojiKeywordsDifference: never;
    /** Obtain a list of related languages that must be used when fetching emoji keyword lists. Usually the method will return the passed language codes (if localized) + en + some language codes for similar languages (if applicable). */
    getEmojiKeywordsLanguages: never;
    /** Represents a list of emoji categories, to be used when selecting custom emojis to set as profile picture. */
    getEmojiProfilePhotoGroups: never;
    /** Represents a list of emoji categories, to be used when selecting custom emojis to set as custom emoji status. */
    getEmojiStatusGroups: never;
    /** Represents a list of emoji categories, to be used when choosing a sticker. */
    getEmojiStickerGroups: never;
    /** Gets the list of currently installed custom emoji stickersets. */
    getEmojiStickers: never;
    /** Returns an HTTP URL which can be used to automatically log in into translation platform and suggest new emoji keywords. The URL will be valid for 30 seconds after generation. */
    getEmojiURL: never;
    /** Get info about a chat invite */
    getExportedChatInvite:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INVITE_HASH_EXPIRED'
      | 'PEER_ID_INVALID';
    /** Get info about the chat invites of a specific chat */
    getExportedChatInvites:
      | 'ADMIN_ID_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'PEER_ID_INVALID';
    /** Fetch updated information about paid media, see here for the full flow. This method will return an array of RawUpdateMessageExtendedMedia updates, only for messages containing already bought paid media. No information will be returned for messages containing not yet bought paid media. */
    getExtendedMedia: never;
    /** Fetch one or more factchecks, see here for the full flow. */
    getFactCheck: 'PEER_ID_INVALID';
    /** Get faved stickers */
    getFavedStickers: never;
    /** Gets featured custom emoji stickersets. */
    getFeaturedEmojiStickers: never;
    /** Get featured stickers */
    getFeaturedStickers: never;
    /** Get topics of a forum */
    getForumTopics: 'CHANNEL_INVALID';
    /** Get forum topics by their ID */
    getForumTopicsByID: 'CHANNEL_INVALID';
    /** Get full info about a basic group. */
    getFullChat: 'CHAT_ID_INVALID' | 'PEER_ID_INVALID';
    getFutureChatCreatorAfterLeave: never;
    /** Get highscores of a game */
    getGameHighScores: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Returns the conversation history with one interlocutor / within a chat */
    getHistory:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'FROZEN_PARTICIPANT_MISSING'
      | 'MSG_ID_INVALID'
      | 'NEED_DOC_INVALID'
      | 'PEER_ID_INVALID'
      | 'TAKEOUT_INVALID'
      | 'VOLUME_MOVE_INVALID';
    /** Query an inline bot */
    getInlineBotResults:
      | 'BOT_INLINE_DISABLED'
      | 'BOT_INVALID'
      | 'BOT_RESPONSE_TIMEOUT'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'Timeout';
    /** Get highscores of a game sent using an inline bot */
    getInlineGameHighScores: 'MESSAGE_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Get installed mask stickers */
    getMaskStickers: never;
    /** Find out if a media message's caption can be edited */
    getMessageEditData:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'MESSAGE_AUTHOR_REQUIRED'
      | 'MESSAGE_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Get message reaction list, along with the sender of each reaction. */
    getMessageReactionsList: 'BROADCAST_FORBIDDEN' | 'CHANNEL_INVALID' | 'MSG_ID_INVALID' | 'OFFSET_INVALID';
    /** Get which users read a specific message: only available for groups and supergroups with less than chat_read_mark_size_threshold members, read receipts will be stored for chat_read_mark_expire_period seconds after the message was sent, see client configuration for more info. */
    getMessageReadParticipants: 'CHAT_TOO_BIG' | 'MSG_ID_INVALID' | 'MSG_TOO_OLD' | 'PEER_ID_INVALID';
    /** Returns the list of messages by their IDs. */
    getMessages: never;
    /** Get message reactions */
    getMessagesReactions: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID';
    /** Get and increase the view counter of a message sent or forwarded from a channel */
    getMessagesViews:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ID_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Fetch all stickersets owned by the current user. */
    getMyStickers: never;
    /** Method for fetching previously featured stickers */
    getOldFeaturedStickers: never;
    /** Get count of online users in a chat */
    getOnlines: 'CHANNEL_PRIVATE' | 'CHAT_ID_INVALID' | 'PEER_ID_INVALID';
    /** Get the exact read date of one of our messages, sent to a private chat with another user. Can be only done for private outgoing messages not older than appConfig.pm_read_date_expire_period. If the peer's userFull.read_dates_private flag is set, we will not be able to fetch the exact read date of messages we send to them, and a USER_PRIVACY_RESTRICTED RPC error will be emitted. The exact read date of messages might still be unavailable for other reasons, see globalPrivacySettings for more info. To set userFull.read_dates_private for ourselves invoke account.setGlobalPrivacySettings, setting the settings.hide_read_marks flag. */
    getOutboxReadDate:
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_NOT_READ_YET'
      | 'MESSAGE_TOO_OLD'
      | 'PEER_ID_INVALID'
      | 'USER_PRIVACY_RESTRICTED'
      | 'YOUR_PRIVACY_RESTRICTED';
    /** Fetches an RawUpdatePaidReactionPrivacy update with the current default paid reaction privacy, see here for more info. */
    getPaidReactionPrivacy: never;
    /** Get dialog info of specified peers */
    getPeerDialogs:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'FROZEN_PARTICIPANT_MISSING'
      | 'INPUT_PEERS_EMPTY'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Get peer settings */
    getPeerSettings:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    getPersonalChannelHistory: never;
    /** Get pinned dialogs */
    getPinnedDialogs: 'FOLDER_ID_INVALID';
    /** Get pinned saved dialogs, see here for more info. */
    getPinnedSavedDialogs: never;
    /** Get poll results */
    getPollResults: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID';
    /** Get poll results for non-anonymous polls */
    getPollVotes: 'BROADCAST_FORBIDDEN' | 'MSG_ID_INVALID' | 'POLL_VOTE_REQUIRED';
    /** Obtain a prepared inline message generated by a mini app: invoked when handling web_app_send_prepared_message events */
    getPreparedInlineMessage: 'ID_EXPIRED' | 'ID_INVALID';
    /** Fetch basic info about all existing quick reply shortcuts. */
    getQuickReplies: never;
    /** Fetch (a subset or all) messages in a quick reply shortcut. */
    getQuickReplyMessages: 'SHORTCUT_INVALID';
    /** Get live location history of a certain user */
    getRecentLocations: never;
    /** Get recently used message reactions */
    getRecentReactions: never;
    /** Get recent stickers */
    getRecentStickers: never;
    /** Get messages in a reply thread */
    getReplies:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'TOPIC_ID_INVALID';
    getRichMessage: never;
    /** Returns the current saved dialog list or monoforum topic list. */
    getSavedDialogs: never;
    /** Obtain information about specific saved message dialogs or monoforum topics. */
    getSavedDialogsByID: never;
    /** Get saved GIFs. */
    getSavedGifs: never;
    /** Fetch saved messages forwarded from a specific peer, or fetch messages from a monoforum topic. */
    getSavedHistory: 'PEER_ID_INVALID';
    /** Fetch the full list of saved message tags created by the user. */
    getSavedReactionTags: 'PEER_ID_INVALID';
    /** Get scheduled messages */
    getScheduledHistory: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID';
    /** Get scheduled messages */
    getScheduledMessages: 'CHANNEL_INVALID' | 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID';
    /** Get the number of results that would be found by a messages.search call with the same parameters */
    getSearchCounters: 'PEER_ID_INVALID';
    /** Returns information about the next messages of the specified type in the chat split by days. Returns the results in reverse chronological order. Can return partial results for the last returned day. */
    getSearchResultsCalendar: 'FILTER_NOT_SUPPORTED' | 'PEER_ID_INVALID';
    /** Returns sparse positions of messages of the specified type in the chat to be used for shared media scroll implementation. Returns the results in reverse chronological order (i.e., in order of decreasing message_id). */
    getSearchResultsPositions: 'PEER_ID_INVALID';
    /** Get message ranges for saving the user's chat history */
    getSplitRanges: never;
    /** Get a list of sponsored messages for a peer, see here for more info. */
    getSponsoredMessages: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID';
    /** Get info about a stickerset */
    getStickerSet: 'EMOTICON_STICKERPACK_MISSING' | 'STICKERSET_INVALID';
    /** Get stickers by emoji */
    getStickers: 'EMOTICON_EMPTY';
    /** Get suggested folders */
    getSuggestedDialogFilters: never;
    /** Got popular message reactions */
    getTopReactions: never;
    /** Get unread messages where we were mentioned */
    getUnreadMentions: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID' | 'PEER_ID_INVALID';
    getUnreadPollVotes: never;
    /** Get unread reactions to messages you sent */
    getUnreadReactions: 'PEER_ID_INVALID';
    /** Get instant view page */
    getWebPage: 'WC_CONVERT_URL_INVALID';
    /** Get preview of webpage */
    getWebPagePreview: 'ENTITY_BOUNDS_INVALID' | 'MESSAGE_EMPTY';
    /** Dismiss or approve all join requests related to a specific chat or channel. */
    hideAllChatJoinRequests:
      | 'CHANNELS_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'HIDE_REQUESTER_MISSING'
      | 'INVITE_HASH_EXPIRED'
      | 'PEER_ID_INVALID'
      | 'USER_CHANNELS_TOO_MUCH';
    /** Dismiss or approve a chat join request related to a specific chat or channel. */
    hideChatJoinRequest:
      | 'CHANNELS_TOO_MUCH'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'HIDE_REQUESTER_MISSING'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USER_ALREADY_PARTICIPANT'
      | 'USER_CHANNELS_TOO_MUCH'
      | 'USER_ID_INVALID';
    /** Should be called after the user hides the report spam/add as contact bar of a new chat, effectively prevents the user from executing the actions specified in the action bar. */
    hidePeerSettingsBar: 'PEER_ID_INVALID';
    /** Import a chat invite and join a private chat/supergroup/channel */
    importChatInvite:
      | 'CHANNELS_TOO_MUCH'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_INVALID'
      | 'INVITE_HASH_EMPTY'
      | 'INVITE_HASH_EXPIRED'
      | 'INVITE_HASH_INVALID'
      | 'INVITE_REQUEST_SENT'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'STARS_PAYMENT_REQUIRED'
      | 'USERS_TOO_MUCH'
      | 'USER_ALREADY_PARTICIPANT'
      | 'USER_CHANNELS_TOO_MUCH';
    /** Import chat history from a foreign chat app into a specific Telegram chat, click here for more info about imported chats. */
    initHistoryImport:
      | 'CHAT_ADMIN_REQUIRED'
      | 'IMPORT_FILE_INVALID'
      | 'IMPORT_FORMAT_DATE_INVALID'
      | 'IMPORT_FORMAT_UNRECOGNIZED'
      | 'PEER_ID_INVALID'
      | `PREVIOUS_CHAT_IMPORT_ACTIVE_WAIT_${number}MIN`
      | 'USER_NOT_MUTUAL_CONTACT';
    /** Install a stickerset */
    installStickerSet: 'STICKERSET_INVALID';
    /** Manually mark dialog as unread */
    markDialogUnread: 'PEER_ID_INVALID';
    /** Turn a basic group into a supergroup */
    migrateChat:
      | 'CHANNELS_TOO_MUCH'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_INVALID'
      | 'PEER_ID_INVALID';
    /** Indicate to the server (from the user side) that the user is still using a web app. If the method returns a QUERY_ID_INVALID error, the webview must be closed. */
    prolongWebView: 'BOT_INVALID';
    /** Rate transcribed voice message */
    rateTranscribedAudio: never;
    /** Mark a thread as read */
    readDiscussion: 'CHAT_ID_INVALID' | 'MSG_ID_INVALID' | 'PEER_ID_INVALID';
    /** Marks message history within a secret chat as read. */
    readEncryptedHistory: 'CHAT_ID_INVALID' | 'MAX_DATE_INVALID' | 'MSG_WAIT_FAILED';
    /** Mark new featured stickers as read */
    readFeaturedStickers: never;
    /** Marks message history as read. */
    readHistory:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ID_INVALID'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Mark mentions as read */
    readMentions:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'SAVED_PEER_INVALID';
    /** Notifies the sender about the recipient having listened a voice message or watched a video, emitting an RawUpdateReadMessagesContents. */
    readMessageContents: never;
    readPollVotes: never;
    /** Mark message reactions as read */
    readReactions: 'PEER_ID_INVALID';
    /** Mark messages as read in a monoforum topic. */
    readSavedHistory: 'CHAT_ADMIN_REQUIRED' | 'PARENT_PEER_INVALID';
    /** Confirms receipt of messages by a client, cancels PUSH-notification sending. */
    receivedMessages: never;
    /** Confirms receipt of messages in a secret chat by client, cancels push notifications. The method returns a list of random_ids of messages for which push notifications were cancelled. */
    receivedQueue: 'MAX_QTS_INVALID' | 'MSG_WAIT_FAILED';
    /** Reorder pinned dialogs */
    reorderPinnedDialogs: 'PEER_ID_INVALID';
    /** Reorder pinned forum topics */
    reorderPinnedForumTopics: 'CHANNEL_INVALID';
    /** Reorder pinned saved message dialogs. */
    reorderPinnedSavedDialogs: never;
    /** Reorder quick reply shortcuts. This will emit an RawUpdateQuickReplies update to other logged-in sessions. */
    reorderQuickReplies: 'PREMIUM_ACCOUNT_REQUIRED';
    /** Reorder installed stickersets */
    reorderStickerSets: never;
    /** Report a message in a chat for violation of telegram's Terms of Service */
    report: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MESSAGE_REQUIRED' | 'OPTION_INVALID' | 'PEER_ID_INVALID';
    /** Report a secret chat for spam */
    reportEncryptedSpam: 'CHAT_ID_INVALID';
    /** Used for Telegram Gateway verification messages: indicate to the server that one or more messages were received by the client, if requested by the message.report_delivery_until_date flag or the equivalent flag in push notifications. */
    reportMessagesDelivery: 'PEER_ID_INVALID';
    reportMusicListen: never;
    /** Report a message reaction */
    reportReaction: 'MSG_ID_INVALID' | 'PEER_ID_INVALID' | 'USER_ID_INVALID';
    reportReadMetrics: never;
    /** Report a new incoming chat for spam, if the peerSettings of the chat allow us to do that */
    reportSpam: 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID' | 'PEER_ID_INVALID';
    /** Report a sponsored message, see here for more info on the full flow. */
    reportSponsoredMessage: never;
    /** Open a bot mini app from a direct Mini App deep link, sending over user information after user confirmation. After calling this method, until the user closes the webview, messages.prolongWebView must be called every 60 seconds. */
    requestAppWebView:
      | 'BOT_APP_BOT_INVALID'
      | 'BOT_APP_INVALID'
      | 'BOT_APP_SHORTNAME_INVALID'
      | 'MSG_ID_INVALID'
      | 'THEME_PARAMS_INVALID';
    /** Sends a request to start a secret chat to the user. */
    requestEncryption: 'DH_G_A_INVALID' | 'INPUT_USER_DEACTIVATED' | 'USER_ID_INVALID' | 'USER_IS_BLOCKED';
    /** Open a Main Mini App. */
    requestMainWebView: 'BOT_INVALID';
    /** Open a bot mini app. */
    requestSimpleWebView: 'BOT_INVALID' | 'URL_INVALID';
    /** Get more info about a Seamless Telegram Login authorization request, for more info click here */
    requestUrlAuth: never;
    /** Open a bot mini app, sending over user information after user confirmation. After calling this method, until the user closes the webview, messages.prolongWebView must be called every 60 seconds. */
    requestWebView:
      | 'BOT_INVALID'
      | 'BOT_WEBVIEW_DISABLED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PRIVACY_PREMIUM_REQUIRED'
      | 'SEND_AS_PEER_INVALID'
      | 'THEME_PARAMS_INVALID'
      | 'URL_INVALID'
      | 'YOU_BLOCKED_USER';
    /** Change the default peer that should be used when sending messages, reactions, poll votes to a specific group */
    saveDefaultSendAs: 'CHANNEL_INVALID' | 'PEER_ID_INVALID' | 'SEND_AS_PEER_INVALID';
    /** Save a message draft associated to a chat. */
    saveDraft:
      | 'CHAT_ADMIN_REQUIRED'
      | 'ENTITY_BOUNDS_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Add GIF to saved gifs list */
    saveGif: 'GIF_ID_INVALID';
    /** Save a prepared inline message, to be shared by the user of the mini app using a web_app_send_prepared_message event */
    savePreparedInlineMessage:
      | 'RESULT_ID_INVALID'
      | 'SEND_MESSAGE_GAME_INVALID'
      | 'USER_BOT_REQUIRED'
      | 'USER_ID_INVALID';
    /** Add/remove sticker from recent stickers list */
    saveRecentSticker: 'STICKER_ID_INVALID';
    /** Search for messages. */
    search:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'FROM_PEER_INVALID'
      | 'INPUT_FILTER_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PEER_ID_NOT_SUPPORTED'
      | 'SEARCH_QUERY_EMPTY'
      | 'TAKEOUT_INVALID'
      | 'USER_ID_INVALID';
    /** Look for custom emojis associated to a UTF8 emoji */
    searchCustomEmoji: 'EMOTICON_EMPTY';
    /** Search for custom emoji stickersets */
    searchEmojiStickerSets: never;
    /** Search for messages and peers globally */
    searchGlobal: 'FOLDER_ID_INVALID' | 'INPUT_FILTER_INVALID' | 'SEARCH_QUERY_EMPTY';
    /** View and search recently sent media. This method does not support pagination. */
    searchSentMedia: 'FILTER_NOT_SUPPORTED';
    /** Search for stickersets */
    searchStickerSets: never;
    /** Search for stickers using AI-powered keyword search */
    searchStickers: never;
    /** Send one or more chosen peers, as requested by a keyboardButtonRequestPeer button. */
    sendBotRequestedPeer: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID';
    /** Sends a text message to a secret chat. */
    sendEncrypted:
      | 'CHAT_ID_INVALID'
      | 'DATA_INVALID'
      | 'DATA_TOO_LONG'
      | 'ENCRYPTION_DECLINED'
      | 'MSG_WAIT_FAILED'
      | 'USER_IS_BLOCKED';
    /** Sends a message with a file attachment to a secret chat */
    sendEncryptedFile:
      | 'CHAT_ID_INVALID'
      | 'DATA_TOO_LONG'
      | 'ENCRYPTION_DECLINED'
      | 'FILE_EMTPY'
      | 'MD5_CHECKSUM_INVALID'
      | 'MSG_WAIT_FAILED';
    /** Sends a service message to a secret chat. */
    sendEncryptedService:
      | 'CHAT_ID_INVALID'
      | 'DATA_INVALID'
      | 'ENCRYPTION_DECLINED'
      | 'ENCRYPTION_ID_INVALID'
      | 'MSG_WAIT_FAILED'
      | 'USER_DELETED'
      | 'USER_IS_BLOCKED';
    /** Send a result obtained using messages.getInlineBotResults. */
    sendInlineBotResult:
      | `ALLOW_PAYMENT_REQUIRED_${number}`
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_GUEST_SEND_FORBIDDEN'
      | 'CHAT_RESTRICTED'
      | 'CHAT_SEND_AUDIOS_FORBIDDEN'
      | 'CHAT_SEND_GAME_FORBIDDEN'
      | 'CHAT_SEND_GIFS_FORBIDDEN'
      | 'CHAT_SEND_INLINE_FORBIDDEN'
      | 'CHAT_SEND_MEDIA_FORBIDDEN'
      | 'CHAT_SEND_PHOTOS_FORBIDDEN'
      | 'CHAT_SEND_PLAIN_FORBIDDEN'
      | 'CHAT_SEND_STICKERS_FORBIDDEN'
      | 'CHAT_SEND_VOICES_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'ENTITY_BOUNDS_INVALID'
      | 'INLINE_RESULT_EXPIRED'
      | 'INPUT_USER_DEACTIVATED'
      | 'MEDIA_EMPTY'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PRIVACY_PREMIUM_REQUIRED'
      | 'QUERY_ID_EMPTY'
      | 'QUICK_REPLIES_TOO_MUCH'
      | 'RANDOM_ID_DUPLICATE'
      | 'REPLY_MESSAGES_TOO_MUCH'
      | 'RESULT_ID_EMPTY'
      | 'RESULT_ID_INVALID'
      | 'SCHEDULE_DATE_TOO_LATE'
      | 'SCHEDULE_TOO_MUCH'
      | 'SEND_AS_PEER_INVALID'
      | 'SEND_MEDIA_INVALID'
      | 'SLOWMODE_WAIT'
      | 'TOPIC_DELETED'
      | 'USER_BANNED_IN_CHANNEL'
      | 'VOICE_MESSAGES_FORBIDDEN'
      | 'WEBPAGE_CURL_FAILED'
      | 'WEBPAGE_MEDIA_EMPTY'
      | 'YOU_BLOCKED_USER';
    /** Send a media */
    sendMedia:
      | 'ALLOW_PAYMENT_REQUIRED'
      | `ALLOW_PAYMENT_REQUIRED_${number}`
      | 'BOT_GAMES_DISABLED'
      | 'BOT_PAYMENTS_DISABLED'
      | 'BROADCAST_PUBLIC_VOTERS_FORBIDDEN'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'BUSINESS_PEER_USAGE_MISSING'
      | 'BUTTON_COPY_TEXT_INVALID'
      | 'BUTTON_DATA_INVALID'
      | 'BUTTON_POS_INVALID'
      | 'BUTTON_TYPE_INVALID'
      | 'BUTTON_URL_INVALID'
      | 'BUTTON_USER_PRIVACY_RESTRICTED'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_FORWARDS_RESTRICTED'
      | 'CHAT_GUEST_SEND_FORBIDDEN'
      | 'CHAT_RESTRICTED'
      | 'CHAT_SEND_AUDIOS_FORBIDDEN'
      | 'CHAT_SEND_DOCS_FORBIDDEN'
      | 'CHAT_SEND_GIFS_FORBIDDEN'
      | 'CHAT_SEND_MEDIA_FORBIDDEN'
      | 'CHAT_SEND_PHOTOS_FORBIDDEN'
      | 'CHAT_SEND_PLAIN_FORBIDDEN'
      | 'CHAT_SEND_POLL_FORBIDDEN'
      | 'CHAT_SEND_ROUNDVIDEOS_FORBIDDEN'
      | 'CHAT_SEND_STICKERS_FORBIDDEN'
      | 'CHAT_SEND_VIDEOS_FORBIDDEN'
      | 'CHAT_SEND_VOICES_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'CURRENCY_TOTAL_AMOUNT_INVALID'
      | 'DOCUMENT_INVALID'
      | 'EFFECT_CHAT_INVALID'
      | 'EFFECT_ID_INVALID'
      | 'EMOTICON_INVALID'
      | 'ENTITY_BOUNDS_INVALID'
      | 'EXTENDED_MEDIA_AMOUNT_INVALID'
      | 'EXTENDED_MEDIA_EMPTY'
      | 'EXTENDED_MEDIA_INVALID'
      | 'EXTERNAL_URL_INVALID'
      | 'FILE_PARTS_INVALID'
      | 'FILE_PART_LENGTH_INVALID'
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'GAME_BOT_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'INPUT_FILE_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'INVOICE_PAYLOAD_INVALID'
      | 'MD5_CHECKSUM_INVALID'
      | 'MEDIA_CAPTION_TOO_LONG'
      | 'MEDIA_EMPTY'
      | 'MEDIA_INVALID'
      | 'MESSAGE_EMPTY'
      | 'MSG_ID_INVALID'
      | 'PAYMENT_PROVIDER_INVALID'
      | 'PEER_ID_INVALID'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_INVALID_DIMENSIONS'
      | 'PHOTO_SAVE_FILE_INVALID'
      | 'POLL_ANSWERS_INVALID'
      | 'POLL_ANSWER_INVALID'
      | 'POLL_OPTION_DUPLICATE'
      | 'POLL_OPTION_INVALID'
      | 'POLL_QUESTION_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'PRIVACY_PREMIUM_REQUIRED'
      | 'QUICK_REPLIES_BOT_NOT_ALLOWED'
      | 'QUICK_REPLIES_TOO_MUCH'
      | 'QUIZ_CORRECT_ANSWERS_EMPTY'
      | 'QUIZ_CORRECT_ANSWERS_TOO_MUCH'
      | 'QUIZ_CORRECT_ANSWER_INVALID'
      | 'QUIZ_MULTIPLE_INVALID'
      | 'RANDOM_ID_DUPLICATE'
      | 'REPLY_MARKUP_BUY_EMPTY'
      | 'REPLY_MARKUP_GAME_EMPTY'
      | 'REPLY_MARKUP_INVALID'
      | 'REPLY_MARKUP_TOO_LONG'
      | 'REPLY_MESSAGES_TOO_MUCH'
      | 'REPLY_MESSAGE_ID_INVALID'
      | 'REPLY_TO_MONOFORUM_PEER_INVALID'
      | 'SCHEDULE_BOT_NOT_ALLOWED'
      | 'SCHEDULE_DATE_TOO_LATE'
      | 'SCHEDULE_TOO_MUCH'
      | 'SEND_AS_PEER_INVALID'
      | 'SLOWMODE_WAIT'
      | 'STARS_INVOICE_INVALID'
      | 'STORY_ID_INVALID'
      | 'SUBSCRIPTION_EXPORT_MISSING'
      | 'SUGGESTED_POST_PEER_INVALID'
      | 'TERMS_URL_INVALID'
      | 'TODO_ITEMS_EMPTY'
      | 'TODO_ITEM_DUPLICATE'
      | 'TOPIC_CLOSED'
      | 'TOPIC_DELETED'
      | 'TTL_MEDIA_INVALID'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_IS_BLOCKED'
      | 'USER_IS_BOT'
      | 'VIDEO_CONTENT_TYPE_INVALID'
      | 'VOICE_MESSAGES_FORBIDDEN'
      | 'WEBDOCUMENT_MIME_INVALID'
      | 'WEBPAGE_CURL_FAILED'
      | 'WEBPAGE_MEDIA_EMPTY'
      | 'WEBPAGE_NOT_FOUND'
      | 'WEBPAGE_URL_INVALID'
      | 'YOU_BLOCKED_USER';
    /** Sends a message to a chat */
    sendMessage:
      | 'ADMIN_RIGHTS_EMPTY'
      | 'ALLOW_PAYMENT_REQUIRED'
      | `ALLOW_PAYMENT_REQUIRED_${number}`
      | 'BALANCE_TOO_LOW'
      | 'BOT_DOMAIN_INVALID'
      | 'BOT_INVALID'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'BUSINESS_PEER_USAGE_MISSING'
      | 'BUTTON_COPY_TEXT_INVALID'
      | 'BUTTON_DATA_INVALID'
      | 'BUTTON_ID_INVALID'
      | 'BUTTON_TYPE_INVALID'
      | 'BUTTON_URL_INVALID'
      | 'BUTTON_USER_INVALID'
      | 'BUTTON_USER_PRIVACY_RESTRICTED'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_FORWARDS_RESTRICTED'
      | 'CHAT_GUEST_SEND_FORBIDDEN'
      | 'CHAT_ID_INVALID'
      | 'CHAT_RESTRICTED'
      | 'CHAT_SEND_PLAIN_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'DOCUMENT_INVALID'
      | 'EFFECT_CHAT_INVALID'
      | 'ENCRYPTION_DECLINED'
      | 'ENTITIES_TOO_LONG'
      | 'ENTITY_BOUNDS_INVALID'
      | 'ENTITY_MENTION_USER_INVALID'
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'FROM_MESSAGE_BOT_DISABLED'
      | 'INPUT_USER_DEACTIVATED'
      | 'MESSAGE_EMPTY'
      | 'MESSAGE_TOO_LONG'
      | 'MSG_ID_INVALID'
      | 'MSG_WAIT_FAILED'
      | 'PAYMENT_UNSUPPORTED'
      | 'PEER_ID_INVALID'
      | 'PEER_TYPES_INVALID'
      | 'PINNED_DIALOGS_TOO_MUCH'
      | 'POLL_OPTION_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'PRIVACY_PREMIUM_REQUIRED'
      | 'QUICK_REPLIES_BOT_NOT_ALLOWED'
      | 'QUICK_REPLIES_TOO_MUCH'
      | 'QUOTE_TEXT_INVALID'
      | 'RANDOM_ID_DUPLICATE'
      | 'REPLY_MARKUP_INVALID'
      | 'REPLY_MARKUP_TOO_LONG'
      | 'REPLY_MESSAGES_TOO_MUCH'
      | 'REPLY_MESSAGE_ID_INVALID'
      | 'REPLY_TO_INVALID'
      | 'REPLY_TO_MONOFORUM_PEER_INVALID'
      | 'REPLY_TO_USER_INVALID'
      | 'SCHEDULE_BOT_NOT_ALLOWED'
      | 'SCHEDULE_DATE_TOO_LATE'
      | 'SCHEDULE_STATUS_PRIVATE'
      | 'SCHEDULE_TOO_MUCH'
      | 'SEND_AS_PEER_INVALID'
      | 'SLOWMODE_WAIT'
      | 'STORIES_NEVER_CREATED'
      | 'STORY_ID_INVALID'
      | 'SUGGESTED_POST_AMOUNT_INVALID'
      | 'SUGGESTED_POST_PEER_INVALID'
      | 'TOPIC_CLOSED'
      | 'TOPIC_DELETED'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_IS_BLOCKED'
      | 'USER_IS_BOT'
      | 'WC_CONVERT_URL_INVALID'
      | 'YOU_BLOCKED_USER';
    /** Send an album or grouped media */
    sendMultiMedia:
      | `ALLOW_PAYMENT_REQUIRED_${number}`
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_FORWARDS_RESTRICTED'
      | 'CHAT_SEND_MEDIA_FORBIDDEN'
      | 'CHAT_SEND_PHOTOS_FORBIDDEN'
      | 'CHAT_SEND_VIDEOS_FORBIDDEN'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'EFFECT_ID_INVALID'
      | 'ENTITY_BOUNDS_INVALID'
      | `FILE_REFERENCE_${number}_EMPTY`
      | `FILE_REFERENCE_${number}_EXPIRED`
      | `FILE_REFERENCE_${number}_INVALID`
      | 'MEDIA_CAPTION_TOO_LONG'
      | 'MEDIA_EMPTY'
      | 'MEDIA_INVALID'
      | 'MSG_ID_INVALID'
      | 'MULTI_MEDIA_TOO_LONG'
      | 'PEER_ID_INVALID'
      | 'QUICK_REPLIES_BOT_NOT_ALLOWED'
      | 'QUICK_REPLIES_TOO_MUCH'
      | 'RANDOM_ID_DUPLICATE'
      | 'RANDOM_ID_EMPTY'
      | 'REPLY_MESSAGES_TOO_MUCH'
      | 'REPLY_TO_INVALID'
      | 'SCHEDULE_DATE_TOO_LATE'
      | 'SCHEDULE_TOO_MUCH'
      | 'SEND_AS_PEER_INVALID'
      | 'SLOWMODE_WAIT'
      | 'TOPIC_CLOSED'
      | 'TOPIC_DELETED'
      | 'USER_BANNED_IN_CHANNEL';
    /** Sends one or more paid Telegram Star reactions, transferring Telegram Stars to a channel's balance. */
    sendPaidReaction:
      | 'BALANCE_TOO_LOW'
      | 'CHANNEL_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'MESSAGE_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'RANDOM_ID_EMPTY'
      | 'RANDOM_ID_EXPIRED'
      | 'REACTIONS_COUNT_INVALID'
      | 'SEND_AS_PEER_INVALID';
    /** Send a quick reply shortcut. */
    sendQuickReplyMessages: 'PEER_ID_INVALID' | 'PREMIUM_ACCOUNT_REQUIRED';
    /** React to message. Starting from layer 159, the reaction will be sent from the peer specified using messages.saveDefaultSendAs. */
    sendReaction:
      | 'ANONYMOUS_REACTIONS_DISABLED'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'CUSTOM_REACTIONS_TOO_MANY'
      | 'DOCUMENT_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_NOT_MODIFIED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'REACTIONS_TOO_MANY'
      | 'REACTION_EMPTY'
      | 'REACTION_INVALID'
      | 'USER_BANNED_IN_CHANNEL';
    /** Send scheduled messages right away */
    sendScheduledMessages: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID' | 'RANDOM_ID_DUPLICATE';
    /** Notify the other user in a private chat that a screenshot of the chat was taken */
    sendScreenshotNotification:
      | 'INPUT_USER_DEACTIVATED'
      | 'PEER_ID_INVALID'
      | 'REPLY_MESSAGE_ID_INVALID'
      | 'STORY_ID_INVALID'
      | 'YOU_BLOCKED_USER';
    /** Vote in a poll Starting from layer 159, the vote will be sent from the peer specified using messages.saveDefaultSendAs. */
    sendVote:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_POLL_CLOSED'
      | 'MSG_ID_INVALID'
      | 'OPTIONS_TOO_MUCH'
      | 'OPTION_INVALID'
      | 'PEER_ID_INVALID'
      | 'REVOTE_NOT_ALLOWED';
    /** Used by the user to relay data from an opened reply keyboard bot mini app to the bot that owns it. */
    sendWebViewData: 'BOT_INVALID';
    /** Terminate webview interaction started with messages.requestWebView, sending the specified message to the chat on behalf of the user. */
    sendWebViewResultMessage: 'QUERY_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Set the callback answer to a user button press (bots only) */
    setBotCallbackAnswer: 'MESSAGE_TOO_LONG' | 'QUERY_ID_INVALID' | 'URL_INVALID' | 'USER_BOT_REQUIRED';
    setBotGuestChatResult: never;
    /** Once the user has confirmed their payment and shipping details, the bot receives an RawUpdateBotPrecheckoutQuery update. Use this method to respond to such pre-checkout queries. Note: Telegram must receive an answer within 10 seconds after the pre-checkout query was sent. */
    setBotPrecheckoutResults: 'ERROR_TEXT_EMPTY' | 'USER_BOT_REQUIRED';
    /** If you sent an invoice requesting a shipping address and the parameter is_flexible was specified, the bot will receive an RawUpdateBotShippingQuery update. Use this method to reply to shipping queries. */
    setBotShippingResults: 'QUERY_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Change the set of message reactions that can be used in a certain group, supergroup or channel */
    setChatAvailableReactions:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'DOCUMENT_INVALID'
      | 'PEER_ID_INVALID'
      | 'REACTION_INVALID';
    /** Change the chat theme of a certain chat, see here for more info. */
    setChatTheme: 'EMOJI_INVALID' | 'EMOJI_NOT_MODIFIED' | 'PEER_ID_INVALID';
    /** Set a custom wallpaper in a specific private chat with another user. */
    setChatWallPaper: 'PEER_ID_INVALID' | 'WALLPAPER_INVALID' | 'WALLPAPER_NOT_FOUND';
    /** Changes the default value of the Time-To-Live setting, applied to all new chats. */
    setDefaultHistoryTTL: 'TTL_PERIOD_INVALID';
    /** Change default emoji reaction to use in the quick reaction menu: the value is synced across devices and can be fetched using help.getConfig. */
    setDefaultReaction: 'REACTION_INVALID';
    /** Send typing event by the current user to a secret chat. */
    setEncryptedTyping: 'CHAT_ID_INVALID';
    /** Use this method to set the score of the specified user in a game sent as a normal message (bots only). */
    setGameScore:
      | 'BOT_SCORE_NOT_MODIFIED'
      | 'MESSAGE_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'SCORE_INVALID'
      | 'USER_BOT_REQUIRED';
    /** Set maximum Time-To-Live of all messages in the specified chat */
    setHistoryTTL: 'CHAT_NOT_MODIFIED' | 'PEER_ID_INVALID' | 'TTL_PERIOD_INVALID';
    /** Answer an inline query, for bots only */
    setInlineBotResults:
      | 'ARTICLE_TITLE_EMPTY'
      | 'AUDIO_CONTENT_URL_EMPTY'
      | 'AUDIO_TITLE_EMPTY'
      | 'BUTTON_DATA_INVALID'
      | 'BUTTON_TYPE_INVALID'
      | 'BUTTON_URL_INVALID'
      | 'DOCUMENT_INVALID'
      | 'FILE_CONTENT_TYPE_INVALID'
      | 'FILE_TITLE_EMPTY'
      | 'GIF_CONTENT_TYPE_INVALID'
      | 'MEDIA_CAPTION_TOO_LONG'
      | 'MESSAGE_EMPTY'
      | 'MESSAGE_TOO_LONG'
      | 'NEXT_OFFSET_INVALID'
      | 'PEER_TYPES_INVALID'
      | 'PHOTO_CONTENT_TYPE_INVALID'
      | 'PHOTO_CONTENT_URL_EMPTY'
      | 'PHOTO_INVALID'
      | 'PHOTO_THUMB_URL_EMPTY'
      | 'QUERY_ID_INVALID'
      | 'REPLY_MARKUP_INVALID'
      | 'RESULTS_TOO_MUCH'
      | 'RESULT_ID_DUPLICATE'
      | 'RESULT_ID_INVALID'
      | 'RESULT_TYPE_INVALID'
      | 'SEND_MESSAGE_MEDIA_INVALID'
      | 'SEND_MESSAGE_TYPE_INVALID'
      | 'START_PARAM_EMPTY'
      | 'START_PARAM_INVALID'
      | 'STICKER_DOCUMENT_INVALID'
      | 'SWITCH_PM_TEXT_EMPTY'
      | 'SWITCH_WEBVIEW_URL_INVALID'
      | 'URL_INVALID'
      | 'USER_BOT_REQUIRED'
      | 'VIDEO_CONTENT_TYPE_INVALID'
      | 'VIDEO_TITLE_EMPTY'
      | 'WEBDOCUMENT_INVALID'
      | 'WEBDOCUMENT_MIME_INVALID'
      | 'WEBDOCUMENT_SIZE_TOO_BIG'
      | 'WEBDOCUMENT_URL_EMPTY'
      | 'WEBDOCUMENT_URL_INVALID';
    /** Use this method to set the score of the specified user in a game sent as an inline message (bots only). */
    setInlineGameScore: 'MESSAGE_ID_INVALID' | 'USER_BOT_REQUIRED';
    /** Sends a current user typing event (see SendMessageAction for all event types) to a conversation partner or group. */
    setTyping:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'BUSINESS_PEER_USAGE_MISSING'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'GROUPCALL_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MESSAGE_TOO_LONG'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USER_BANNED_IN_CHANNEL'
      | 'USER_IS_BLOCKED'
      | 'USER_IS_BOT';
    /** Start a conversation with a bot using a deep linking parameter */
    startBot:
      | 'BOT_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'RANDOM_ID_DUPLICATE'
      | 'START_PARAM_EMPTY'
      | 'START_PARAM_INVALID'
      | 'START_PARAM_TOO_LONG';
    /** Complete the history import process, importing all messages into the chat. To be called only after initializing the import with messages.initHistoryImport and uploading all files using messages.uploadImportedMedia. */
    startHistoryImport: 'CHAT_ADMIN_REQUIRED' | 'IMPORT_ID_INVALID' | 'PEER_ID_INVALID';
    /** Summarize the contents of a message with AI, see here for more info. */
    summarizeText: 'PEER_ID_INVALID';
    /** Enable or disable web bot attachment menu */
    toggleBotInAttachMenu: 'BOT_INVALID';
    /** Enable or disable folder tags. */
    toggleDialogFilterTags: 'PREMIUM_ACCOUNT_REQUIRED';
    /** Pin/unpin a dialog */
    toggleDialogPin: 'CHANNEL_PRIVATE' | 'PEER_HISTORY_EMPTY' | 'PEER_ID_INVALID' | 'PINNED_DIALOGS_TOO_MUCH';
    /** Enable or disable content protection on a channel, group or private chat. */
    toggleNoForwards: 'CHAT_ADMIN_REQUIRED' | 'CHAT_NOT_MODIFIED' | 'PEER_ID_INVALID';
    /** Changes the privacy of already sent paid reactions on a specific message. */
    togglePaidReactionPrivacy: 'PEER_ID_INVALID' | 'REACTION_EMPTY';
    /** Show or hide the real-time chat translation popup for a certain chat */
    togglePeerTranslations: 'PEER_ID_INVALID';
    /** Pin or unpin a saved message dialog. */
    toggleSavedDialogPin: 'PEER_ID_INVALID';
    /** Apply changes to multiple stickersets */
    toggleStickerSets: never;
    /** Approve or reject a suggested post. */
    toggleSuggestedPostApproval: 'PEER_ID_INVALID';
    /** Mark one or more items of a todo list as completed or not completed. */
    toggleTodoCompleted: 'PEER_ID_INVALID';
    /** Transcribe voice message */
    transcribeAudio:
      | 'MSG_ID_INVALID'
      | 'MSG_VOICE_MISSING'
      | 'PEER_ID_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'TRANSCRIPTION_FAILED';
    /** Translate a given text. Styled text entities will only be preserved for Telegram Premium users. */
    translateText:
      | 'INPUT_TEXT_EMPTY'
      | 'INPUT_TEXT_TOO_LONG'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'TO_LANG_INVALID'
      | 'TRANSLATE_REQ_FAILED'
      | 'TRANSLATE_REQ_QUOTA_EXCEEDED'
      | 'TRANSLATIONS_DISABLED'
      | 'TRANSLATION_TIMEOUT';
    /** Uninstall a stickerset */
    uninstallStickerSet: 'STICKERSET_INVALID';
    /** Unpin all pinned messages */
    unpinAllMessages:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_NOT_MODIFIED'
      | 'INPUT_USER_DEACTIVATED'
      | 'PEER_ID_INVALID';
    /** Update folder */
    updateDialogFilter:
      | 'CHATLIST_EXCLUDE_INVALID'
      | 'CHAT_ID_INVALID'
      | 'FILTER_ID_INVALID'
      | 'FILTER_INCLUDE_EMPTY'
      | 'FILTER_TITLE_EMPTY'
      | 'MESSAGE_TOO_LONG'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID';
    /** Reorder folders */
    updateDialogFiltersOrder: never;
    /** Pin or unpin forum topics */
    updatePinnedForumTopic: 'CHANNEL_INVALID';
    /** Pin a message */
    updatePinnedMessage:
      | 'BOT_ONESIDE_NOT_AVAIL'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'BUSINESS_PEER_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_INVALID'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'INPUT_USER_DEACTIVATED'
      | 'MESSAGE_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PIN_RESTRICTED'
      | 'USER_BANNED_IN_CHANNEL';
    /** Update the description of a saved message tag. */
    updateSavedReactionTag: 'PREMIUM_ACCOUNT_REQUIRED' | 'REACTION_INVALID';
    /** Upload encrypted file and associate it to a secret chat (without actually sending it to the chat). */
    uploadEncryptedFile: 'CHAT_ID_INVALID';
    /** Upload a media file associated with an imported chat, click here for more info. */
    uploadImportedMedia: 'CHAT_ADMIN_REQUIRED' | 'IMPORT_ID_INVALID' | 'MEDIA_INVALID';
    /** Upload a file and associate it to a chat (without actually sending it to the chat) May also be used in a business connection, not by wrapping the query in invokeWithBusinessConnection, but rather by specifying the business connection ID in the business_connection_id parameter. */
    uploadMedia:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_ID_INVALID'
      | 'CHAT_RESTRICTED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FILE_PARTS_INVALID'
      | 'FILE_PART_LENGTH_INVALID'
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'INPUT_USER_DEACTIVATED'
      | 'MEDIA_INVALID'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_INVALID_DIMENSIONS'
      | 'PHOTO_SAVE_FILE_INVALID'
      | 'USER_BANNED_IN_CHANNEL'
      | 'VOICE_MESSAGES_FORBIDDEN'
      | 'WEBPAGE_CURL_FAILED';
    /** Mark a specific sponsored message as read */
    viewSponsoredMessage: never;
  };
  payments: {
    /** Apply a Telegram Premium giftcode */
    applyGiftCode: 'GIFT_SLUG_EXPIRED' | 'GIFT_SLUG_INVALID' | `PREMIUM_SUB_ACTIVE_UNTIL_${number}`;
    /** Informs server about a purchase made through the App Store: for official applications only. */
    assignAppStoreTransaction: 'INPUT_PURPOSE_INVALID' | 'RECEIPT_EMPTY';
    /** Informs server about a purchase made through the Play Store: for official applications only. */
    assignPlayMarketTransaction: 'DATA_JSON_INVALID';
    /** Cancel a bot subscription */
    botCancelStarsSubscription: 'CHARGE_ID_INVALID' | 'USER_ID_INVALID';
    /** Checks whether a purchase is possible. Must be called before in-store purchase, official apps only. */
    canPurchaseStore: 'INPUT_PURPOSE_INVALID' | 'PREMIUM_CURRENTLY_UNAVAILABLE';
    /** Activate or deactivate a Telegram Star subscription. */
    changeStarsSubscription: 'PEER_ID_INVALID';
    /** Check if the specified gift can be sent. */
    checkCanSendGift: 'STARGIFT_INVALID';
    /** Obtain information about a Telegram Premium giftcode */
    checkGiftCode: 'GIFT_SLUG_EXPIRED' | 'GIFT_SLUG_INVALID';
    /** Clear saved payment information */
    clearSavedInfo: never;
    /** Join a bot's affiliate program, becoming an affiliate */
    connectStarRefBot: never;
    /** Convert a received gift into Telegram Stars: this will permanently destroy the gift, converting it into starGift.convert_stars Telegram Stars, added to the user's balance. Note that starGift.convert_stars will be less than the buying price (starGift.stars) of the gift if it was originally bought using Telegram Stars bought a long time ago. */
    convertStarGift:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'SAVED_ID_EMPTY'
      | 'STARGIFT_PEER_INVALID'
      | 'USER_ID_INVALID';
    craftStarGift: 'SAVED_ID_EMPTY';
    /** Create a star gift collection. */
    createStarGiftCollection: 'PEER_ID_INVALID';
    /** Delete a star gift collection. */
    deleteStarGiftCollection: 'PEER_ID_INVALID';
    /** Leave a bot's affiliate program */
    editConnectedStarRefBot: 'STARREF_HASH_REVOKED';
    /** Generate an invoice deep link */
    exportInvoice:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'CURRENCY_TOTAL_AMOUNT_INVALID'
      | 'INVOICE_PAYLOAD_INVALID'
      | 'MEDIA_INVALID'
      | 'PAYMENT_PROVIDER_INVALID'
      | 'STARS_INVOICE_INVALID'
      | 'USER_BOT_REQUIRED'
      | 'WEBDOCUMENT_MIME_INVALID'
      | 'WEBDOCUMENT_URL_EMPTY';
    /** Re-join a private channel associated to an active Telegram Star subscription. */
    fulfillStarsSubscription: 'PEER_ID_INVALID';
    /** Get info about a credit card */
    getBankCardData: 'BANK_CARD_NUMBER_INVALID';
    /** Fetch info about a specific bot affiliation */
    getConnectedStarRefBot: 'PEER_ID_INVALID';
    /** Fetch all affiliations we have created for a certain peer */
    getConnectedStarRefBots: never;
    getCraftStarGifts: 'STARGIFT_INVALID';
    /** Obtain information about a Telegram Premium giveaway. */
    getGiveawayInfo: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID';
    /** Get a payment form */
    getPaymentForm:
      | 'API_GIFT_RESTRICTED_UPDATE_APP'
      | 'BOOST_PEER_INVALID'
      | 'BOT_ACCESS_FORBIDDEN'
      | 'BOT_INVOICE_INVALID'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'GIFT_MONTHS_INVALID'
      | 'GIFT_STARS_INVALID'
      | 'INVOICE_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'MESSAGE_TOO_LONG'
      | 'MONTH_INVALID'
      | 'MSG_ID_INVALID'
      | 'NO_PAYMENT_NEEDED'
      | 'PEER_ID_INVALID'
      | 'PREMIUM_PURPOSE_INVALID'
      | 'SLUG_INVALID'
      | 'STARGIFT_ALREADY_CONVERTED'
      | 'STARGIFT_ALREADY_REFUNDED'
      | 'STARGIFT_ALREADY_UPGRADED'
      | 'STARGIFT_EXPORT_IN_PROGRESS'
      | 'STARGIFT_INVALID'
      | 'STARGIFT_MESSAGE_INVALID'
      | 'STARGIFT_NOT_FOUND'
      | 'STARGIFT_NOT_OWNER'
      | 'STARGIFT_OWNER_INVALID'
      | 'STARGIFT_PEER_INVALID'
      | 'STARGIFT_RESELL_CURRENCY_NOT_ALLOWED'
      | `STARGIFT_RESELL_TOO_EARLY_${number}`
      | 'STARGIFT_SLUG_INVALID'
      | `STARGIFT_TRANSFER_TOO_EARLY_${number}`
      | 'STARGIFT_UPGRADE_UNAVAILABLE'
      | 'STARS_FORM_AMOUNT_MISMATCH'
      | 'TO_ID_INVALID'
      | 'UNTIL_DATE_INVALID';
    /** Get payment receipt */
    getPaymentReceipt: 'MESSAGE_ID_INVALID';
    /** Obtain a list of Telegram Premium giveaway/gift code options. */
    getPremiumGiftCodeOptions: never;
    /** Get collectible gifts of a specific type currently on resale, see here for more info. sort_by_price and sort_by_num are mutually exclusive, if neither are set results are sorted by the unixtime (descending) when their resell price was last changed. See here for detailed documentation on this method. */
    getResaleStarGifts: 'OFFSET_INVALID' | 'STARGIFT_ATTRIBUTE_INVALID' | 'STARGIFT_INVALID';
    /** Get saved payment information */
    getSavedInfo: never;
    /** Fetch info about specific gifts owned by a peer we control. Note that unlike what the name suggests, the method can be used to fetch both "saved" and "unsaved" gifts (aka gifts both pinned and not pinned to the profile). */
    getSavedStarGift: 'SAVED_ID_EMPTY' | 'STARGIFT_OWNER_INVALID' | 'STARGIFT_SLUG_INVALID';
    /** Fetch the full list of gifts owned by a peer. Note that unlike what the name suggests, the method can be used to fetch both "saved" and "unsaved" gifts (aka gifts both pinned and not pinned) to the profile, depending on the passed flags. */
    getSavedStarGifts:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'COLLECTION_ID_INVALID'
      | 'MSG_ID_INVALID'
      | 'OFFSET_INVALID'
      | 'PEER_ID_INVALID';
    /** Fetches all currently active gift auctions where the user has placed a bid. */
    getStarGiftActiveAuctions: never;
    /** Fetches all the gifts that the current user won in an auction. */
    getStarGiftAuctionAcquiredGifts: 'STARGIFT_INVALID';
    /** Returns info about a collectible gift auction; also subscribes the user to auction updates, see here for more info on the full flow. */
    getStarGiftAuctionState: 'STARGIFT_INVALID';
    /** Fetches all star gift collections of a peer. */
    getStarGiftCollections: 'PEER_ID_INVALID';
    getStarGiftUpgradeAttributes: 'STARGIFT_INVALID';
    /** Obtain a preview of the possible attributes (chosen randomly) a gift can receive after upgrading it to a collectible gift, see here for more info. */
    getStarGiftUpgradePreview: 'STARGIFT_INVALID' | 'STARGIFT_UPGRADE_UNAVAILABLE';
    /** Convert a collectible gift to an NFT on the TON blockchain. */
    getStarGiftWithdrawalUrl:
      | 'PASSWORD_HASH_INVALID'
      | `PASSWORD_TOO_FRESH_${number}`
      | `SESSION_TOO_FRESH_${number}`;
    /** Get a list of available gifts, see here for more info. */
    getStarGifts: never;
    /** Obtain a list of Telegram Stars gift options as starsGiftOption constructors. */
    getStarsGiftOptions: 'INPUT_USER_DEACTIVATED' | 'USER_GIFT_UNAVAILABLE' | 'USER_ID_INVALID';
    /** Fetch a list of star giveaway options. */
    getStarsGiveawayOptions: never;
    /** Returns a URL for a Telegram Ad platform account that can be used to set up advertisements for channel/bot in peer, paid using the Telegram Stars owned by the specified peer, see here for more info. */
    getStarsRevenueAdsAccountUrl: 'CHAT_WRITE_FORBIDDEN' | 'PEER_ID_INVALID';
    /** Get Telegram Star revenue statistics. */
    getStarsRevenueStats: 'PEER_ID_INVALID';
    /** Withdraw funds from a channel or bot's star balance. */
    getStarsRevenueWithdrawalUrl:
      | 'PASSWORD_HASH_INVALID'
      | 'PASSWORD_MISSING'
      | `PASSWORD_TOO_FRESH_${number}`
      | `SESSION_TOO_FRESH_${number}`;
    /** Get the current Telegram Stars balance of the current account (with peer=inputPeerSelf), or the stars balance of the bot or channel specified in peer. */
    getStarsStatus: 'BOT_ACCESS_FORBIDDEN' | 'BUSINESS_CONNECTION_INVALID' | 'PEER_ID_INVALID';
    /** Obtain a list of active, expired or cancelled Telegram Star subscriptions. */
    getStarsSubscriptions: 'PEER_ID_INVALID';
    /** Obtain a list of Telegram Stars topup options as starsTopupOption constructors. */
    getStarsTopupOptions: never;
    /** Fetch Telegram Stars transactions. The inbound and outbound flags are mutually exclusive: if none of the two are set, both incoming and outgoing transactions are fetched. */
    getStarsTransactions: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID' | 'SUBSCRIPTION_ID_INVALID';
    /** Obtain info about Telegram Star transactions using specific transaction IDs. */
    getStarsTransactionsByID: 'PEER_ID_INVALID' | 'TRANSACTION_ID_INVALID';
    /** Obtain a list of suggested mini apps with available affiliate programs order_by_revenue and order_by_date are mutually exclusive: if neither is set, results are sorted by profitability. */
    getSuggestedStarRefBots: 'PEER_ID_INVALID';
    /** Obtain info about a collectible gift using a slug obtained from a collectible gift link. */
    getUniqueStarGift: 'STARGIFT_SLUG_INVALID';
    /** Get information about the value of a collectible gift. */
    getUniqueStarGiftValueInfo: 'STARGIFT_SLUG_INVALID';
    /** Launch a prepaid giveaway. */
    launchPrepaidGiveaway: 'PEER_ID_INVALID';
    /** Refund a Telegram Stars transaction, see here for more info. */
    refundStarsCharge:
      | 'CHARGE_ALREADY_REFUNDED'
      | 'CHARGE_ID_EMPTY'
      | 'USER_BOT_REQUIRED'
      | 'USER_ID_INVALID';
    /** Reorder the star gift collections on an owned peer's profile. */
    reorderStarGiftCollections: 'PEER_ID_INVALID';
    resolveStarGiftOffer: 'MESSAGE_ID_INVALID';
    /** Display or remove a received gift from our profile. */
    saveStarGift: 'MESSAGE_ID_INVALID' | 'SAVED_ID_EMPTY' | 'STARGIFT_OWNER_INVALID' | 'USER_ID_INVALID';
    /** Send compiled payment form */
    sendPaymentForm:
      | 'FORM_UNSUPPORTED'
      | 'INVOICE_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'PAYMENT_CREDENTIALS_INVALID'
      | 'PEER_ID_INVALID'
      | 'TMP_PASSWORD_INVALID';
    sendStarGiftOffer:
      | 'INPUT_STARS_AMOUNT_INVALID'
      | 'INPUT_STARS_NANOS_INVALID'
      | 'INVOICE_INVALID'
      | 'PEER_ID_INVALID'
      | 'RESELL_STARS_TOO_FEW'
      | 'RESELL_STARS_TOO_MUCH'
      | 'STARGIFT_OFFER_INVALID'
      | 'STARGIFT_OFFER_NOT_ALLOWED'
      | 'STARGIFT_SLUG_INVALID';
    /** Make a payment using Telegram Stars, see here for more info. */
    sendStarsForm:
      | 'API_GIFT_RESTRICTED_UPDATE_APP'
      | 'BALANCE_TOO_LOW'
      | 'BOT_ACCESS_FORBIDDEN'
      | 'BOT_INVOICE_INVALID'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'FORM_EXPIRED'
      | 'FORM_ID_EMPTY'
      | 'FORM_SUBMIT_DUPLICATE'
      | 'FORM_UNSUPPORTED'
      | 'GIFT_STARS_INVALID'
      | 'MEDIA_ALREADY_PAID'
      | 'MONTH_INVALID'
      | 'PEER_ID_INVALID'
      | 'PRECHECKOUT_FAILED'
      | 'PURPOSE_INVALID'
      | 'STARGIFT_ALREADY_UPGRADED'
      | 'STARGIFT_NOT_FOUND'
      | 'STARGIFT_OWNER_INVALID'
      | 'STARGIFT_SLUG_INVALID'
      | 'STARGIFT_USAGE_LIMITED'
      | 'STARGIFT_USER_USAGE_LIMITED'
      | 'STARS_FORM_AMOUNT_MISMATCH'
      | 'TO_ID_INVALID'
      | 'USER_ID_INVALID';
    /** Enables or disables the reception of notifications every time a gift is received by the specified channel, can only be invoked by admins with post_messages chatAdminRights. */
    toggleChatStarGiftNotifications: 'PEER_ID_INVALID';
    /** Pins a received gift on top of the profile of the user or owned channels by using payments.toggleStarGiftsPinnedToTop. */
    toggleStarGiftsPinnedToTop: 'PEER_ID_INVALID';
    /** Transfer a collectible gift to another user or channel: can only be used if transfer is free (i.e. messageActionStarGiftUnique.transfer_stars is not set); see here for more info on the full flow (including the different flow to use in case the transfer isn't free). */
    transferStarGift:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'PAYMENT_REQUIRED'
      | 'PEER_ID_INVALID'
      | 'SAVED_ID_EMPTY'
      | 'STARGIFT_NOT_FOUND'
      | 'STARGIFT_NOT_OWNER'
      | 'STARGIFT_NOT_UNIQUE'
      | 'STARGIFT_OWNER_INVALID'
      | 'STARGIFT_PEER_INVALID'
      | `STARGIFT_TRANSFER_TOO_EARLY_${number}`;
    /** Add or remove gifts from a star gift collection, or rename the collection. */
    updateStarGiftCollection: 'PEER_ID_INVALID';
    /** A collectible gift we own can be put up for sale on the gift marketplace with this method, see here for more info. */
    updateStarGiftPrice: 'SAVED_ID_EMPTY' | 'STARGIFT_NOT_FOUND';
    /** Upgrade a gift to a collectible gift: can only be used if the upgrade was already paid by the gift sender; see here for more info on the full flow (including the different flow to use in case the upgrade was not paid by the gift sender). */
    upgradeStarGift:
      | 'BUSINESS_CONNECTION_INVALID'
      | 'MESSAGE_ID_INVALID'
      | 'PAYMENT_REQUIRED'
      | 'SAVED_ID_EMPTY'
      | 'STARGIFT_ALREADY_CONVERTED'
      | 'STARGIFT_ALREADY_UPGRADED'
      | 'STARGIFT_UPGRADE_UNAVAILABLE';
    /** Submit requested order information for validation */
    validateRequestedInfo: 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID';
  };
  phone: {
    /** Accept incoming call, see here for more info on the full flow. */
    acceptCall:
      | 'CALL_ALREADY_ACCEPTED'
      | 'CALL_ALREADY_DECLINED'
      | 'CALL_OCCUPY_FAILED'
      | 'CALL_PEER_INVALID'
      | 'CALL_PROTOCOL_COMPAT_LAYER_INVALID'
      | 'CALL_PROTOCOL_FLAGS_INVALID'
      | 'CALL_PROTOCOL_LAYER_INVALID';
    /** Check whether the group call Server Forwarding Unit is currently receiving the streams with the specified WebRTC source IDs. Returns an intersection of the source IDs specified in sources, and the source IDs currently being forwarded by the SFU. */
    checkGroupCall: 'GROUPCALL_INVALID' | 'GROUPCALL_JOIN_MISSING';
    /** Complete phone call E2E encryption key exchange, see here for more info on the full flow. */
    confirmCall: 'CALL_ALREADY_DECLINED' | 'CALL_PEER_INVALID';
    /** Create and optionally join a new conference call. */
    createConferenceCall: never;
    /** Create a group call or livestream */
    createGroupCall:
      | 'CHANNEL_PRIVATE'
      | 'CHAT_ADMIN_REQUIRED'
      | 'CREATE_CALL_FAILED'
      | 'GROUPCALL_ALREADY_DISCARDED'
      | 'PEER_ID_INVALID'
      | 'SCHEDULE_DATE_INVALID';
    /** Declines a conference call invite. */
    declineConferenceCallInvite: 'MESSAGE_ID_INVALID';
    /** Remove participants from a conference call. Exactly one of the only_left and kick flags must be set. */
    deleteConferenceCallParticipants: 'GROUPCALL_INVALID';
    deleteGroupCallMessages: 'GROUPCALL_INVALID';
    deleteGroupCallParticipantMessages: 'GROUPCALL_INVALID';
    /** Refuse or end running call, see here for more info on the full flow. */
    discardCall: 'CALL_ALREADY_ACCEPTED' | 'CALL_OCCUPY_FAILED' | 'CALL_PEER_INVALID';
    /** Terminate a group call */
    discardGroupCall: 'GROUPCALL_ALREADY_DISCARDED' | 'GROUPCALL_FORBIDDEN' | 'GROUPCALL_INVALID';
    /** Edit information about a given group call participant Note: flags.N?Bool parameters can have three possible values: */
    editGroupCallParticipant:
      | 'GROUPCALL_FORBIDDEN'
      | 'GROUPCALL_INVALID'
      | 'PARTICIPANT_JOIN_MISSING'
      | 'RAISE_HAND_FORBIDDEN'
      | 'USER_VOLUME_INVALID'
      | 'VIDEO_PAUSE_FORBIDDEN'
      | 'VIDEO_STOP_FORBIDDEN';
    /** Edit the title of a group call or livestream */
    editGroupCallTitle: 'GROUPCALL_FORBIDDEN' | 'GROUPCALL_INVALID';
    /** Get an invite link for a group call or livestream */
    exportGroupCallInvite: 'GROUPCALL_INVALID' | 'PUBLIC_CHANNEL_MISSING';
    /** DEPRECATED: Get phone call configuration to be passed to the libtgvoip (deprecated) shared config. */
    getCallConfig: never;
    /** Get info about a group call */
    getGroupCall: 'GROUPCALL_FORBIDDEN' | 'GROUPCALL_INVALID';
    /** Fetch the blocks of a conference blockchain. */
    getGroupCallChainBlocks: 'GROUPCALL_INVALID';
    /** Get a list of peers that can be used to join a group call, presenting yourself as a specific user/channel. */
    getGroupCallJoinAs: 'CHANNEL_INVALID' | 'PEER_ID_INVALID';
    getGroupCallStars: 'GROUPCALL_INVALID';
    /** Get info about RTMP streams in a group call or livestream. This method should be invoked to the same group/channel-related DC used for downloading livestream chunks. As usual, the media DC is preferred, if available. */
    getGroupCallStreamChannels: 'GROUPCALL_INVALID' | 'GROUPCALL_JOIN_MISSING';
    /** Get RTMP URL and stream key for RTMP livestreams. Can be used even before creating the actual RTMP livestream with phone.createGroupCall (the rtmp_stream flag must be set). */
    getGroupCallStreamRtmpUrl: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID';
    /** Get group call participants */
    getGroupParticipants: 'GROUPCALL_INVALID' | 'OFFSET_INVALID';
    /** Invite a user to a conference call. */
    inviteConferenceCallParticipant: 'GROUPCALL_INVALID';
    /** Invite a set of users to a group call. */
    inviteToGroupCall:
      | 'CHAT_TYPE_INVALID'
      | 'GROUPCALL_FORBIDDEN'
      | 'GROUPCALL_INVALID'
      | 'INVITE_FORBIDDEN_WITH_JOINAS'
      | 'USER_ALREADY_INVITED'
      | 'USER_NOT_PARTICIPANT';
    /** Join a group call */
    joinGroupCall:
      | 'CHAT_ADMIN_REQUIRED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'DATA_JSON_INVALID'
      | 'GROUPCALL_ADD_PARTICIPANTS_FAILED'
      | 'GROUPCALL_FORBIDDEN'
      | 'GROUPCALL_INVALID'
      | 'GROUPCALL_SSRC_DUPLICATE_MUCH'
      | 'JOIN_AS_PEER_INVALID';
    /** Start screen sharing in a call */
    joinGroupCallPresentation: 'GROUPCALL_INVALID' | 'PARTICIPANT_JOIN_MISSING';
    /** Leave a group call */
    leaveGroupCall: 'GROUPCALL_INVALID';
    /** Stop screen sharing in a group call */
    leaveGroupCallPresentation: 'GROUPCALL_INVALID';
    /** Optional: notify the server that the user is currently busy in a call: this will automatically refuse all incoming phone calls until the current phone call is ended, see here for more info on the full flow. */
    receivedCall: 'CALL_ALREADY_DECLINED' | 'CALL_PEER_INVALID';
    /** Start a telegram phone call, see here for more info on the full flow. */
    requestCall:
      | 'CALL_PROTOCOL_FLAGS_INVALID'
      | 'CALL_PROTOCOL_LAYER_INVALID'
      | 'INPUT_USER_DEACTIVATED'
      | 'PARTICIPANT_CALL_FAILED'
      | 'PARTICIPANT_VERSION_OUTDATED'
      | 'RANDOM_ID_DUPLICATE'
      | 'USER_ID_INVALID'
      | 'USER_IS_BLOCKED'
      | 'USER_PRIVACY_RESTRICTED';
    /** Send phone call debug data to server */
    saveCallDebug: 'CALL_PEER_INVALID' | 'DATA_JSON_INVALID';
    /** Deprecated: send libtgvoip phone call debug information */
    saveCallLog: 'CALL_PEER_INVALID';
    /** Set the default peer that will be used to join a group call in a specific dialog. */
    saveDefaultGroupCallJoinAs: 'JOIN_AS_PEER_INVALID' | 'PEER_ID_INVALID';
    saveDefaultSendAs: 'GROUPCALL_INVALID';
    /** Broadcast a blockchain block to all members of a conference call, see here for more info. */
    sendConferenceCallBroadcast: 'GROUPCALL_INVALID';
    sendGroupCallEncryptedMessage: 'GROUPCALL_INVALID';
    sendGroupCallMessage: 'GROUPCALL_INVALID';
    /** Send VoIP signaling data */
    sendSignalingData: 'CALL_PEER_INVALID';
    /** Rate a call, returns info about the rating message sent to the official VoIP bot, see here for more info on the full flow. */
    setCallRating: 'CALL_PEER_INVALID';
    /** Start a scheduled group call. */
    startScheduledGroupCall: 'GROUPCALL_ALREADY_STARTED' | 'GROUPCALL_INVALID';
    /** Start or stop recording a group call: the recorded audio and video streams will be automatically sent to Saved messages (the chat with ourselves). */
    toggleGroupCallRecord: 'GROUPCALL_FORBIDDEN' | 'GROUPCALL_INVALID' | 'GROUPCALL_NOT_MODIFIED';
    /** Change group call settings */
    toggleGroupCallSettings: 'GROUPCALL_INVALID' | 'GROUPCALL_NOT_MODIFIED';
    /** Subscribe or unsubscribe to a scheduled group call */
    toggleGroupCallStartSubscription: 'GROUPCALL_ALREADY_STARTED' | 'GROUPCALL_INVALID';
  };
  photos: {
    /** Deletes profile photos. The method returns a list of successfully deleted photo IDs. */
    deletePhotos: never;
    /** Returns the list of user photos. */
    getUserPhotos: 'MAX_ID_INVALID' | 'MSG_ID_INVALID' | 'USER_ID_INVALID';
    /** Installs a previously uploaded photo as a profile photo. */
    updateProfilePhoto:
      | 'ALBUM_PHOTOS_TOO_MANY'
      | 'BOT_FALLBACK_UNSUPPORTED'
      | 'FILE_PARTS_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'LOCATION_INVALID'
      | 'PHOTO_CROP_SIZE_SMALL'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_ID_INVALID';
    /** Upload a custom profile picture for a contact, or suggest a new profile picture to a contact. The file, video and video_emoji_markup flags are mutually exclusive. */
    uploadContactProfilePhoto: 'CONTACT_MISSING' | 'NEED_ACTION_MISSING' | 'USER_ID_INVALID';
    /** Updates current user profile photo. The file, video and video_emoji_markup flags are mutually exclusive. */
    uploadProfilePhoto:
      | 'ALBUM_PHOTOS_TOO_MANY'
      | 'BOT_INVALID'
      | 'EMOJI_MARKUP_INVALID'
      | 'FILE_PARTS_INVALID'
      | 'IMAGE_PROCESS_FAILED'
      | 'PHOTO_CROP_FILE_MISSING'
      | 'PHOTO_CROP_SIZE_SMALL'
      | 'PHOTO_EXT_INVALID'
      | 'PHOTO_FILE_MISSING'
      | 'PHOTO_INVALID'
      | 'STICKER_MIME_INVALID'
      | 'VIDEO_FILE_INVALID';
  };
  premium: {
    /** Apply one or more boosts to a peer. */
    applyBoost: 'BOOSTS_EMPTY' | 'PEER_ID_INVALID' | 'SLOTS_EMPTY';
    /** Obtains info about the boosts that were applied to a certain channel or supergroup (admins only) */
    getBoostsList: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID';
    /** Gets the current number of boosts of a channel/supergroup. */
    getBoostsStatus: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'PEER_ID_INVALID';
    /** Obtain which peers are we currently boosting, and how many boost slots we have left. */
    getMyBoosts: never;
    /** Returns the lists of boost that were applied to a channel/supergroup by a specific user (admins only) */
    getUserBoosts: 'PEER_ID_INVALID';
  };
  smsjobs: {
    /** Finish an SMS job (official clients only). */
    finishJob: 'SMSJOB_ID_INVALID';
    /** Get info about an SMS job (official clients only). */
    getSmsJob: 'SMSJOB_ID_INVALID';
    /** Get SMS jobs status (official clients only). */
    getStatus: 'NOT_JOINED';
    /** Check if we can process SMS jobs (official clients only). */
    isEligibleToJoin: 'NOT_ELIGIBLE';
    /** Enable SMS jobs (official clients only). */
    join: 'NOT_ELIGIBLE';
    /** Disable SMS jobs (official clients only). */
    leave: 'NOT_JOINED';
    /** Update SMS job settings (official clients only). */
    updateSettings: 'NOT_JOINED';
  };
  stats: {
    /** Get channel statistics */
    getBroadcastStats: 'BROADCAST_REQUIRED' | 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'CHAT_ADMIN_REQUIRED';
    /** Get supergroup statistics */
    getMegagroupStats: 'CHANNEL_INVALID' | 'CHAT_ADMIN_REQUIRED' | 'MEGAGROUP_REQUIRED';
    /** Obtains a list of messages, indicating to which other public channels was a channel message forwarded. Will return a list of message with peer_id equal to the public channel to which this message was forwarded. */
    getMessagePublicForwards:
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'MESSAGE_ID_INVALID'
      | 'OFFSET_INVALID'
      | 'PEER_ID_INVALID';
    /** Get message statistics */
    getMessageStats: 'CHANNEL_INVALID' | 'CHAT_ADMIN_REQUIRED' | 'MESSAGE_ID_INVALID' | 'PEER_ID_INVALID';
    getPollStats: never;
    /** Obtain forwards of a story as a message to public chats and reposts by public channels. */
    getStoryPublicForwards: 'PEER_ID_INVALID';
    /** Get statistics for a certain story. */
    getStoryStats: 'PEER_ID_INVALID' | 'STORIES_NEVER_CREATED';
    /** Load channel statistics graph asynchronously */
    loadAsyncGraph: 'GRAPH_EXPIRED_RELOAD' | 'GRAPH_INVALID_RELOAD' | 'GRAPH_OUTDATED_RELOAD';
  };
  stickers: {
    /** Add a sticker to a stickerset. The sticker set must have been created by the current user/bot. */
    addStickerToSet:
      | 'STICKERPACK_STICKERS_TOO_MUCH'
      | 'STICKERSET_INVALID'
      | 'STICKERS_TOO_MUCH'
      | 'STICKER_PNG_NOPNG'
      | 'STICKER_TGS_NOTGS';
    /** Update the keywords, emojis or mask coordinates of a sticker. */
    changeSticker: 'STICKER_INVALID';
    /** Changes the absolute position of a sticker in the set to which it belongs. The sticker set must have been created by the current user/bot. */
    changeStickerPosition: 'STICKER_INVALID';
    /** Check whether the given short name is available */
    checkShortName: 'SHORT_NAME_INVALID' | 'SHORT_NAME_OCCUPIED';
    /** Create a stickerset. */
    createStickerSet:
      | 'PACK_SHORT_NAME_INVALID'
      | 'PACK_SHORT_NAME_OCCUPIED'
      | 'PACK_TITLE_INVALID'
      | 'PACK_TYPE_INVALID'
      | 'PEER_ID_INVALID'
      | 'STICKERS_EMPTY'
      | 'STICKER_EMOJI_INVALID'
      | 'STICKER_FILE_INVALID'
      | 'STICKER_GIF_DIMENSIONS'
      | 'STICKER_PNG_DIMENSIONS'
      | 'STICKER_PNG_NOPNG'
      | 'STICKER_TGS_NODOC'
      | 'STICKER_TGS_NOTGS'
      | 'STICKER_THUMB_PNG_NOPNG'
      | 'STICKER_THUMB_TGS_NOTGS'
      | 'STICKER_VIDEO_BIG'
      | 'STICKER_VIDEO_NODOC'
      | 'STICKER_VIDEO_NOWEBM'
      | 'USER_ID_INVALID';
    /** Deletes a stickerset we created. */
    deleteStickerSet: 'STICKERSET_INVALID';
    /** Remove a sticker from the set where it belongs. The sticker set must have been created by the current user/bot. */
    removeStickerFromSet: 'STICKER_INVALID';
    /** Renames a stickerset. */
    renameStickerSet: 'STICKERSET_INVALID';
    /** Replace a sticker in a stickerset. */
    replaceSticker: 'STICKER_INVALID';
    /** Set stickerset thumbnail */
    setStickerSetThumb: 'STICKERSET_INVALID' | 'STICKER_THUMB_PNG_NOPNG' | 'STICKER_THUMB_TGS_NOTGS';
    /** Suggests a short name for a given stickerpack name */
    suggestShortName: 'TITLE_INVALID';
  };
  stories: {
    /** Activates stories stealth mode, see here for more info. Will return an RawUpdateStoriesStealthMode. */
    activateStealthMode: 'PREMIUM_ACCOUNT_REQUIRED';
    /** Check whether we can post stories as the specified peer. */
    canSendStory:
      | 'BOOSTS_REQUIRED'
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'PEER_ID_INVALID'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'STORIES_TOO_MUCH'
      | `STORY_SEND_FLOOD_MONTHLY_${number}`
      | `STORY_SEND_FLOOD_WEEKLY_${number}`;
    /** Creates a story album. */
    createAlbum: 'PEER_ID_INVALID';
    /** Delete a story album. */
    deleteAlbum: 'PEER_ID_INVALID';
    /** Deletes some posted stories. */
    deleteStories:
      | 'BOT_ACCESS_FORBIDDEN'
      | 'BUSINESS_CONNECTION_INVALID'
      | 'CHANNEL_INVALID'
      | 'PEER_ID_INVALID'
      | 'STORY_ID_EMPTY';
    /** Edit an uploaded story May also be used in a business connection, not by wrapping the query in invokeWithBusinessConnection, but rather by specifying the ID of a controlled business user in peer: in this context, the method can only be used to edit stories posted by the same business bot on behalf of the user with stories.sendStory. */
    editStory: 'PEER_ID_INVALID' | 'STORY_NOT_MODIFIED';
    /** Generate a story deep link for a specific story */
    exportStoryLink: 'PEER_ID_INVALID' | 'STORY_ID_EMPTY' | 'USER_PUBLIC_MISSING';
    /** Get stories in a story album. */
    getAlbumStories: 'PEER_ID_INVALID';
    /** Get story albums created by a peer. */
    getAlbums: 'PEER_ID_INVALID';
    /** Obtain the latest read story ID for all peers when first logging in, returned as a list of RawUpdateReadStories updates, see here for more info. */
    getAllReadPeerStories: never;
    /** Fetch the List of active (or active and hidden) stories, see here for more info on watching stories. */
    getAllStories: never;
    /** Obtain a list of channels where the user can post stories */
    getChatsToSend: never;
    /** Get the IDs of the maximum read stories for a set of peers. */
    getPeerMaxIDs: never;
    /** Fetch the full active story list of a specific peer. */
    getPeerStories: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'MSG_ID_INVALID' | 'PEER_ID_INVALID';
    /** Fetch the stories pinned on a peer's profile. */
    getPinnedStories: 'CHANNEL_INVALID' | 'PEER_ID_INVALID' | 'USER_ID_INVALID';
    /** Fetch the story archive of a peer we control. */
    getStoriesArchive: 'CHAT_ADMIN_REQUIRED' | 'PEER_ID_INVALID';
    /** Obtain full info about a set of stories by their IDs. */
    getStoriesByID:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'STORIES_NEVER_CREATED'
      | 'STORY_ID_EMPTY';
    /** Obtain info about the view count, forward count, reactions and recent viewers of one or more stories. */
    getStoriesViews: 'CHANNEL_INVALID' | 'CHANNEL_PRIVATE' | 'PEER_ID_INVALID' | 'STORY_ID_EMPTY';
    /** Get the reaction and interaction list of a story posted to a channel, along with the sender of each reaction. Can only be used by channel admins. */
    getStoryReactionsList: 'PEER_ID_INVALID';
    /** Obtain the list of users that have viewed a specific story we posted */
    getStoryViewsList: 'PEER_ID_INVALID' | 'STORY_ID_INVALID';
    /** Increment the view counter of one or more stories. */
    incrementStoryViews: 'PEER_ID_INVALID' | 'STORY_ID_EMPTY';
    /** Mark all stories up to a certain ID as read, for a given peer; will emit an RawUpdateReadStories update to all logged-in sessions. */
    readStories: 'MAX_ID_INVALID' | 'PEER_ID_INVALID' | 'STORIES_NEVER_CREATED';
    /** Reorder story albums on a profile. */
    reorderAlbums: 'PEER_ID_INVALID';
    /** Report a story. */
    report: 'PEER_ID_INVALID';
    /** Globally search for stories using a hashtag or a location media area, see here for more info on the full flow. Either hashtag or area must be set when invoking the method. */
    searchPosts: 'HASHTAG_INVALID';
    /** React to a story. */
    sendReaction:
      | 'PEER_ID_INVALID'
      | 'REACTION_INVALID'
      | 'STORIES_NEVER_CREATED'
      | 'STORY_ID_EMPTY'
      | 'STORY_ID_INVALID';
    /** Uploads a Telegram Story. May also be used in a business connection, not by wrapping the query in invokeWithBusinessConnection, but rather by specifying the ID of a controlled business user in peer. */
    sendStory:
      | 'BOOSTS_REQUIRED'
      | 'BOT_ACCESS_FORBIDDEN'
      | 'CHANNEL_INVALID'
      | 'CHAT_ADMIN_REQUIRED'
      | 'IMAGE_PROCESS_FAILED'
      | 'MEDIA_EMPTY'
      | 'MEDIA_FILE_INVALID'
      | 'MEDIA_TYPE_INVALID'
      | 'MEDIA_VIDEO_STORY_MISSING'
      | 'PEER_ID_INVALID'
      | 'PHOTO_INVALID_DIMENSIONS'
      | 'PREMIUM_ACCOUNT_REQUIRED'
      | 'REACTION_INVALID'
      | 'STORIES_TOO_MUCH'
      | 'STORY_PERIOD_INVALID'
      | 'VENUE_ID_INVALID';
    startLive: 'PEER_ID_INVALID';
    /** Hide the active stories of a specific peer, preventing them from being displayed on the action bar on the homescreen. */
    toggleAllStoriesHidden: never;
    /** Hide the active stories of a user, preventing them from being displayed on the action bar on the homescreen, see here for more info. */
    togglePeerStoriesHidden: 'PEER_ID_INVALID';
    /** Pin or unpin one or more stories */
    togglePinned: 'PEER_ID_INVALID';
    /** Pin some stories to the top of the profile, see here for more info. */
    togglePinnedToTop: 'PEER_ID_INVALID' | 'STORY_ID_INVALID';
    /** Rename a story albums, or add, delete or reorder stories in it. */
    updateAlbum: 'PEER_ID_INVALID';
  };
  updates: {
    /** Returns the difference between the current state of updates of a certain channel and transmitted. */
    getChannelDifference:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHANNEL_PUBLIC_GROUP_NA'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'FROM_MESSAGE_BOT_DISABLED'
      | 'FROZEN_PARTICIPANT_MISSING'
      | 'MSG_ID_INVALID'
      | 'NEED_DOC_INVALID'
      | 'PERSISTENT_TIMESTAMP_EMPTY'
      | 'PERSISTENT_TIMESTAMP_INVALID'
      | 'PERSISTENT_TIMESTAMP_OUTDATED'
      | 'PINNED_DIALOGS_TOO_MUCH'
      | 'RANGES_INVALID'
      | 'USER_BANNED_IN_CHANNEL';
    /** Get new updates. */
    getDifference:
      | 'CDN_METHOD_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'CHAT_NOT_MODIFIED'
      | 'CHAT_WRITE_FORBIDDEN'
      | 'DATE_EMPTY'
      | 'MSG_ID_INVALID'
      | 'PERSISTENT_TIMESTAMP_EMPTY'
      | 'PERSISTENT_TIMESTAMP_INVALID'
      | 'RANDOM_ID_DUPLICATE'
      | 'USERNAME_INVALID'
      | 'USER_NOT_PARTICIPANT';
    /** Returns a current state of updates. */
    getState: never;
  };
  upload: {
    /** Download a CDN file. */
    getCdnFile: 'FILE_TOKEN_INVALID' | 'METHOD_INVALID';
    /** Get SHA256 hashes for verifying downloaded CDN files */
    getCdnFileHashes: 'CDN_METHOD_INVALID' | 'FILE_TOKEN_INVALID' | 'RSA_DECRYPT_FAILED';
    /** Returns content of a whole file or its part. */
    getFile:
      | 'CDN_METHOD_INVALID'
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'FILEREF_UPGRADE_NEEDED'
      | 'FILE_ID_INVALID'
      | 'FILE_REFERENCE_EMPTY'
      | 'FILE_REFERENCE_EXPIRED'
      | 'FILE_REFERENCE_INVALID'
      | 'FLOOD_PREMIUM_WAIT'
      | 'LIMIT_INVALID'
      | 'LOCATION_INVALID'
      | 'MSG_ID_INVALID'
      | 'OFFSET_INVALID'
      | 'PEER_ID_INVALID';
    /** Get SHA256 hashes for verifying downloaded files */
    getFileHashes: 'LOCATION_INVALID';
    /** Returns content of a web file, by proxying the request through telegram, see the webfile docs for more info. Note: the query must be sent to the DC specified in the webfile_dc_id MTProto configuration field. */
    getWebFile: 'DOCUMENT_INVALID' | 'LOCATION_INVALID';
    /** Request a reupload of a certain file to a CDN DC. */
    reuploadCdnFile:
      | 'CDN_METHOD_INVALID'
      | 'CDN_UPLOAD_TIMEOUT'
      | 'FILE_TOKEN_INVALID'
      | 'LOCATION_INVALID'
      | 'REQUEST_TOKEN_INVALID'
      | 'RSA_DECRYPT_FAILED';
    /** Saves a part of a large file (over 10 MB in size) to be later passed to one of the methods. */
    saveBigFilePart:
      | 'FILE_PARTS_INVALID'
      | 'FILE_PART_EMPTY'
      | 'FILE_PART_INVALID'
      | 'FILE_PART_SIZE_CHANGED'
      | 'FILE_PART_SIZE_INVALID'
      | 'FILE_PART_TOO_BIG'
      | 'FILE_PART_TOO_SMALL';
    /** Saves a part of file for further sending to one of the methods. */
    saveFilePart: 'FILE_PART_EMPTY' | 'FILE_PART_INVALID' | 'MSG_ID_INVALID';
  };
  users: {
    /** Returns extended user info by ID. */
    getFullUser:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_PRIVATE'
      | 'MSG_ID_INVALID'
      | 'USERNAME_OCCUPIED'
      | 'USER_ID_INVALID';
    /** Check whether we can write to the specified users, used to implement bulk checks for Premium-only messages and paid messages. For each input user, returns a RequirementToContact constructor (at the same offset in the vector) containing requirements to contact them. */
    getRequirementsToContact: never;
    /** Get songs pinned to the user's profile, see here for more info. */
    getSavedMusic: 'USER_ID_INVALID';
    /** Check if the passed songs are still pinned to the user's profile, or refresh the file references of songs pinned on a user's profile see here for more info. */
    getSavedMusicByID: 'USER_ID_INVALID';
    /** Returns basic user info according to their identifiers. */
    getUsers:
      | 'CHANNEL_INVALID'
      | 'CHANNEL_MONOFORUM_UNSUPPORTED'
      | 'CHANNEL_PRIVATE'
      | 'FROM_MESSAGE_BOT_DISABLED'
      | 'MSG_ID_INVALID'
      | 'PEER_ID_INVALID'
      | 'USER_BANNED_IN_CHANNEL';
    /** Notify the user that the sent passport data contains some errors The user will not be able to re-submit their Passport data to you until the errors are fixed (the contents of the field for which you returned the error must change). Use this if the data submitted by the user doesn't satisfy the standards your service requires for any reason. For example, if a birthday date seems invalid, a submitted document is blurry, a scan shows evidence of tampering, etc. Supply some details in the error message to make sure the user knows how to correct the issues. */
    setSecureValueErrors:
      | 'DATA_HASH_SIZE_INVALID'
      | 'HASH_SIZE_INVALID'
      | 'USER_BOT_REQUIRED'
      | 'USER_ID_INVALID';
    /** Suggest a birthday to another user, see here for more info on birthdays in the API. */
    suggestBirthday: 'USER_ID_INVALID';
  };
}
