/** Port of the web as far as other payers' documents are on it. */

export interface PayerWebRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer with any status, or why there is none. Redirects are answers. */
export type PayerWebAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly text: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: 'not-https' | 'not-public' | 'unreachable' | 'too-slow' | 'too-large' | 'not-json';
    };

/** Sends a request to an address of another payer, within `otherPayerLimits`. */
export type PayerWeb = (address: string, request?: PayerWebRequest) => Promise<PayerWebAnswer>;
