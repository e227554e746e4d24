/** Views of the portal's one application page, and all below each of them: a file of its own, so that the browser gets no more. */
export const portalApplicationPaths = [
  '/sign-up',
  '/verify-email',
  '/verify-phone',
  '/terms-of-use',
  '/await-verification',
  '/sign-in',
  '/password-reset',
  '/invitation',
  '/account',
  '/team',
  '/applications',
  '/sandbox',
  '/try',
  '/operations',
] as const;
