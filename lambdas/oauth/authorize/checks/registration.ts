import { type RedirectCheck, refuse } from './asked.ts';

/** An application reaches the lines of business it was registered for. */
export const lineOfBusinessRegistered: RedirectCheck = ({ client, lob }) =>
  client.linesOfBusiness.includes(lob)
    ? undefined
    : refuse('unauthorized_client', `the application is not registered for ${lob}`);

/** RFC 6749 section 4.1.2.1: `unauthorized_client`. */
export const codeGrantRegistered: RedirectCheck = ({ client }) =>
  client.grantTypes.includes('authorization_code')
    ? undefined
    : refuse('unauthorized_client', 'the application is not registered for grant type authorization_code');
