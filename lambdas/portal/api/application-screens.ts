/** The screens of an application's form. Without the schemas of their fields, which pages load later than the form. */

/** The three screens in their order. A page checks a screen before it opens the next. */
export const screenNames = ['registration', 'uris', 'contact'] as const;
export type ScreenName = (typeof screenNames)[number];

/** The address fields of applications that members sign in to. */
export const memberAddresses = ['loginInitiateUri', 'loginRedirectUris', 'logoutRedirectUri'] as const;
