/** An application's name and links on members' pages. */

import { isolateDirection } from '../../catalog/isolate-direction.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';

/** An application's name and links as shown to a member. */
export interface ApplicationDescription {
  readonly name: string;
  /**
   * Host of the application's website. The developer can't choose it as freely as the name, so it helps a member to recognize the
   * application.
   */
  readonly host: string | undefined;
  readonly privacyUri: string | undefined;
  readonly termsOfServiceUri: string | undefined;
  readonly contactEmail: string | undefined;
  readonly attested: boolean;
}

/** The name that the application's developer registered. */
export function registeredNameOf(client: OAuthClient): string {
  return client.displayName ?? client.clientName;
}

export function applicationOf(client: OAuthClient): ApplicationDescription {
  const address = webAddress(client.applicationUri);
  return {
    name: isolateDirection(registeredNameOf(client)),
    host: address === undefined ? undefined : new URL(address).host,
    privacyUri: webAddress(client.privacyUri),
    termsOfServiceUri: webAddress(client.termsOfServiceUri),
    contactEmail: client.contactEmail,
    attested: client.attested,
  };
}

/** The address if it is `http` or `https`; others, such as `javascript:`, must not become links. */
function webAddress(uri: string | undefined): string | undefined {
  return uri !== undefined && URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol) ? uri : undefined;
}
