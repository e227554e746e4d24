/**
 * The texts a developer accepts, with their versions. What is stored with an acceptance is the version and the time; an older
 * text stays in the repository's history. A new text gets a new version, and is asked for again.
 */
export interface Agreement {
  /** Its date. */
  readonly version: string;
  readonly title: string;
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  /** The words beside the box. */
  readonly acceptance: string;
}

export const termsOfUse: Agreement = {
  version: '2026-11-20',
  title: 'Terms of Use',
  sections: [
    {
      heading: 'What these terms are about',
      paragraphs: [
        'These terms are between you and the health plan that runs this portal. They apply to your account, to the applications you register, and to every call your applications make to the sandbox and production interfaces.',
        'If you act for a company, you say by accepting them that you may do so.',
      ],
    },
    {
      heading: 'Your account',
      paragraphs: [
        'Give true information and keep it up to date. Keep your password to yourself. Tell us at once when you think that somebody else used your account.',
        'An account is for one person. Share work by inviting people to your team, not by sharing a password.',
      ],
    },
    {
      heading: 'Credentials',
      paragraphs: [
        'Client secrets and subscription keys belong to one application. Keep them out of source code, public repositories, and anything that runs on a member’s device. Rotate them when somebody who knew them leaves, and at once when they may have become known.',
        'You answer for the calls made with your credentials until you have told us that they are lost or have rotated them.',
      ],
    },
    {
      heading: 'Sandbox and production',
      paragraphs: [
        'The sandbox holds made-up members only. Never put data about a real person into it.',
        'An application may call production after an operator has approved it. What was approved is what may run: submit changes to its configuration before you rely on them.',
      ],
    },
    {
      heading: 'Member data',
      paragraphs: [
        'A member decides whether an application gets their data, which data, and until when. Ask only for what your application needs. Say in plain language, before the member signs in, what you do with it and whom you give it to.',
        'Do what your privacy policy says. When a member ends the access, stop using the credentials it was made with. The member’s data is theirs: let them have it deleted where the law allows.',
        'Do not try to find out who the people in any data are, beyond the member who shared it with you.',
      ],
    },
    {
      heading: 'Fair use',
      paragraphs: [
        'Stay within the limits published in the documentation. Do not probe, overload or work around the security of the service. If you find a weakness, tell us privately and give us time to mend it before you tell others.',
      ],
    },
    {
      heading: 'Suspension and end',
      paragraphs: [
        'We may refuse or end an application’s access only for a reason from the published list of criteria, and tell you which one and why. You may appeal each rejection.',
        'You may end an application or close your account at any time on this portal.',
      ],
    },
    {
      heading: 'Warranty and liability',
      paragraphs: [
        'We run the service with care, and publish its status. We give no promise that it is always reachable or free of error. Nothing in these terms takes away a right that the law gives you or a member.',
      ],
    },
    {
      heading: 'Changes',
      paragraphs: [
        'When these terms change you are asked to read and accept the new text at your next visit. Interfaces are changed as the versioning policy in the documentation says, with at least twelve months’ notice before one is switched off.',
      ],
    },
  ],
  acceptance: 'I have read the Terms of Use and accept them.',
};

export const hipaaAffirmation: Agreement = {
  version: '2026-11-20',
  title: 'HIPAA affirmation',
  sections: [
    {
      heading: 'What you affirm',
      paragraphs: [
        'Your organization is a covered entity, or acts as a business associate of one, under the Health Insurance Portability and Accountability Act (45 CFR Parts 160 and 164).',
        'It will use and disclose protected health information it gets through these interfaces only as HIPAA and its agreements allow, keep it safe as the Security Rule asks, and report a breach as the Breach Notification Rule asks.',
        'You are allowed to make this statement for the organization.',
      ],
    },
  ],
  acceptance: 'I affirm this for my organization.',
};

export const attestation: Agreement = {
  version: '2026-11-20',
  title: 'Attestation of how your application handles member data',
  sections: [
    {
      heading: 'Why this is asked',
      paragraphs: [
        'Members see whether an application has made this attestation. Without it, they are warned when they sign in; they can share their data all the same.',
      ],
    },
    {
      heading: 'What you attest',
      paragraphs: [
        'The application has a privacy policy that anybody can read before signing in, in plain language. It says what data the application takes, what it does with it, whom it gives or sells it to, and how a member ends this.',
        'The application asks for a member’s express consent before it takes data, before it gives data to anybody else, and before it uses data for another purpose than the one the member came for.',
        'The application does not sell member data, or says in its privacy policy that it does and asks the member’s express consent first.',
        'The application takes no more data than it needs for what it does, and keeps it no longer.',
        'The application keeps data safe: it is encrypted on the way and where it is stored, access is limited to those who need it, and a breach is told to the members concerned and to the Federal Trade Commission where its Health Breach Notification Rule asks for it.',
        'A member can have the data deleted that the application holds about them.',
        'The application’s claims about itself in this portal are true, and will be kept up to date.',
      ],
    },
  ],
  acceptance: 'I attest this for the application.',
};

export const agreements = { termsOfUse, hipaaAffirmation, attestation } as const;
