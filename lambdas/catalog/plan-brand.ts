/** The plan's brand on members' pages. */

/** Two colors in one color scheme, each as `#rrggbb`. */
export interface BrandColors {
  /** Buttons, links, and the line at the top of a page. */
  readonly action: string;
  /** Text on a button. */
  readonly onAction: string;
}

export interface PlanLogo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly base64: string;
  /** Size in CSS pixels at which pages show it. */
  readonly width: number;
  readonly height: number;
}

export interface PlanBrand {
  readonly name: string;
  readonly colors: { readonly light: BrandColors; readonly dark: BrandColors };
  readonly logo?: PlanLogo | undefined;
}

/**
 * The brand of this deployment. Undefined here, and then pages have neutral colors and no name but the line of business. `bin/bundle.ts`
 * puts the brand that `lib/config/brand.ts` configures in the place of this constant.
 */
export const planBrand: PlanBrand | undefined = undefined;

/** Address of a logo inside a page: members' pages load nothing from elsewhere. */
export function logoAddress({ type, base64 }: PlanLogo): string {
  return `data:${type};base64,${base64}`;
}
