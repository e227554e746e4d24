/** Texts and links in the header and footer of every page. */
export const site = {
  name: 'Member Data Developer Portal',
  supportEmail: SUPPORT_EMAIL,
} as const;

export interface NavigationLink {
  readonly href: string;
  readonly text: string;
  /** Path of further pages that belong to the link. */
  readonly also?: string;
}

/** Navigation links for every visitor. */
export const publicNavigation: readonly NavigationLink[] = [
  { href: '/docs', text: 'Documentation', also: '/reference' },
  { href: '/find-a-doctor', text: 'Find a doctor' },
  { href: '/status', text: 'Status' },
];

export const developerNavigation: readonly NavigationLink[] = [
  { href: '/applications', text: 'Applications' },
  { href: '/sandbox', text: 'Sandbox' },
  { href: '/team', text: 'Team' },
];

export const operatorNavigation: readonly NavigationLink[] = [{ href: '/operations', text: 'Operations' }];

export const footerNavigation: readonly NavigationLink[] = [
  { href: '/docs', text: 'Documentation' },
  { href: '/status', text: 'Status' },
  { href: '/terms', text: 'Terms of Use' },
  { href: '/privacy', text: 'Privacy' },
  { href: '/accessibility', text: 'Accessibility' },
];
