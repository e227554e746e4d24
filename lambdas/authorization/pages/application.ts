/** Application's name and links on members' pages. */

import type { OAuthClient } from '../oauth/oauth-client.ts';

/** An application as its name and links are shown to a member. */
export interface ApplicationDescription {
  readonly name: string;
  /** Host of the application's own address, which, unlike its name, the developer can't choose freely. */
  readonly host: string | undefined;
  readonly privacyUri: string | undefined;
  readonly termsOfServiceUri: string | undefined;
  readonly contactEmail: string | undefined;
  readonly attested: boolean;
}

export function applicationOf(client: OAuthClient): ApplicationDescription {
  const address = webAddress(client.applicationUri);
  return {
    name: client.displayName ?? client.clientName,
    host: address === undefined ? undefined : new URL(address).host,
    privacyUri: webAddress(client.privacyUri),
    termsOfServiceUri: webAddress(client.termsOfServiceUri),
    contactEmail: client.contactEmail,
    attested: client.attested,
  };
}

/** Only web addresses become links: a `javascript:` URL is a URL too. */
function webAddress(uri: string | undefined): string | undefined {
  return uri !== undefined && URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol) ? uri : undefined;
}
