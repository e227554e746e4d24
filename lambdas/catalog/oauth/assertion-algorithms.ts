/**
 * Algorithms that a client may sign its assertions with (RFC 7523 section 3). RS384 and ES384: SMART App Launch 2.2, "Client
 * Authentication: Asymmetric". RS256 and ES256: common in OpenID Connect clients. MACs and `none` are excluded, because the signature must
 * prove possession of a private key.
 */
export const assertionAlgorithms = ['RS384', 'ES384', 'RS256', 'ES256'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];
