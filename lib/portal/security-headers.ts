/** CloudFront response headers of the portal: CSP and other security headers. */

import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { apiOrigin } from '../../lambdas/catalog/addresses.ts';
import type { Configuration } from '../config/configuration.ts';
import { origins } from '../config/hosts.ts';

/** Origins of reCAPTCHA's script, frame and requests. Source: reCAPTCHA FAQ, "I'm using content-security-policy (CSP)". */
const recaptchaHosts = {
  script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  connect: ['https://www.google.com/recaptcha/'],
};

/**
 * Name of the Trusted Types policy, which is created in `portal-static/app/trusted-types.ts`. reCAPTCHA creates policies that it does not
 * document, so a portal with reCAPTCHA does not use Trusted Types.
 */
const trustedTypes = [
  ['require-trusted-types-for', ["'script'"]],
  ['trusted-types', ['portal']],
] as const;

/** Browser features that no page of the portal uses. */
const permissionsPolicy = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

export interface SecurityHeadersProps {
  /** Environments that pages call from the browser: the guided first call calls the sandbox. */
  readonly called: readonly Configuration[];
  readonly recaptcha: boolean;
}

/**
 * Makes the Content-Security-Policy header.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export function contentSecurityPolicy({ called, recaptcha }: SecurityHeadersProps): string {
  const google = (kind: keyof typeof recaptchaHosts) => (recaptcha ? recaptchaHosts[kind] : []);
  const hosts = called.flatMap((configuration) => {
    const environment = origins(configuration);
    const apis = configuration.linesOfBusiness.map((lob) => apiOrigin(environment, lob));
    return [environment.auth, environment.token, ...apis];
  });
  const directives: readonly (readonly [name: string, sources: readonly string[]])[] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...google('script')]],
    ['style-src', ["'self'"]],
    ['img-src', ["'self'", 'data:']],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...hosts, ...google('connect')]],
    ['worker-src', ["'self'"]],
    ['frame-src', recaptcha ? google('frame') : ["'none'"]],
    ['manifest-src', ["'self'"]],
    ['form-action', ["'self'"]],
    ['frame-ancestors', ["'none'"]],
    ['base-uri', ["'none'"]],
    ...(recaptcha ? [] : trustedTypes),
  ];
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}

/** Creates the response headers policy for all responses of the portal's host. */
export function createSecurityHeaders(
  scope: Construct,
  id: string,
  props: SecurityHeadersProps,
): ResponseHeadersPolicy {
  const securityHeadersBehavior: ResponseHeadersPolicyProps['securityHeadersBehavior'] = {
    contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(props), override: true },
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
    strictTransportSecurity: {
      accessControlMaxAge: Duration.days(730),
      includeSubdomains: true,
      override: true,
    },
  };
  const others = {
    'Permissions-Policy': permissionsPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return new ResponseHeadersPolicy(scope, id, {
    securityHeadersBehavior,
    customHeadersBehavior: {
      customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override: true })),
    },
  });
}
