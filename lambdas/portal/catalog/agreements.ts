/**
 * A text that developers accept. An acceptance is stored with the text's version and the time; older texts are in the repository's history.
 * A new text gets a new version, which developers must accept again.
 */
export interface Agreement {
  /** Date of the text, `YYYY-MM-DD`. */
  readonly version: string;
  readonly title: string;
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  /** The label of the checkbox. */
  readonly acceptance: string;
}

export const termsOfUse: Agreement = {
  version: '2026-11-22',
  title: 'Terms of Use',
  sections: [
    {
      heading: 'About these terms',
      paragraphs: [
        'These terms are between you and the health plan that runs this portal. They apply to your account, to the applications you register, and to every call your applications make to the sandbox and production interfaces.',
        'If you act for a company, you confirm that you are authorized to accept these terms for the company.',
      ],
    },
    {
      heading: 'Your account',
      paragraphs: [
        'Give true information and keep it up to date. Keep your password secret. Tell us immediately if you think that someone else used your account.',
        'An account is for one person. To work with others, invite them to your team. Do not share your password.',
      ],
    },
    {
      heading: 'Credentials',
      paragraphs: [
        'Client secrets and subscription keys belong to one application. Keep them out of source code, public repositories, and anything that runs on a member’s device. Rotate them when a person who knew them leaves. Rotate them immediately if they may be exposed.',
        'You are responsible for calls made with your credentials until you rotate them or tell us that they are lost.',
      ],
    },
    {
      heading: 'Sandbox and production',
      paragraphs: [
        'The sandbox has only fictional members. Never put data about a real person into it.',
        'An application may call production after an operator approves it. Only the approved configuration may run. Submit changes to the configuration before you use them.',
      ],
    },
    {
      heading: 'Member data',
      paragraphs: [
        'A member decides whether an application gets their data, which data, and until when. Ask only for what your application needs. Before the member signs in, say in plain language what you do with the data and who you share it with.',
        'Do what your privacy policy says. When a member ends the access, stop using its tokens. Delete a member’s data when the member asks, where the law allows.',
        'Do not try to identify people in the data other than the member who shared it with you.',
      ],
    },
    {
      heading: 'Fair use',
      paragraphs: [
        'Stay within the limits published in the documentation. Do not probe, overload or work around the security of the service. If you find a vulnerability, report it to us privately and give us time to fix it before you tell others.',
      ],
    },
    {
      heading: 'Suspension and termination',
      paragraphs: [
        'We refuse or end an application’s access only for a reason from the published list of criteria. We tell you the criterion and the reason. You may appeal each rejection.',
        'You may withdraw an application or close your account on this portal at any time.',
      ],
    },
    {
      heading: 'Warranty and liability',
      paragraphs: [
        'We operate the service with care and publish its status. We do not guarantee that the service is always available or free of errors. These terms do not limit any right that the law gives you or a member.',
      ],
    },
    {
      heading: 'Changes',
      paragraphs: [
        'When these terms change, we ask you to read and accept the new text at your next visit. We change interfaces as described in the versioning policy in the documentation. We give at least twelve months’ notice before we turn off an interface.',
      ],
    },
  ],
  acceptance: 'I have read the Terms of Use and accept them.',
};

export const hipaaAffirmation: Agreement = {
  version: '2026-11-22',
  title: 'HIPAA affirmation',
  sections: [
    {
      heading: 'What you affirm',
      paragraphs: [
        'Your organization is a covered entity, or acts as a business associate of one, under the Health Insurance Portability and Accountability Act (45 CFR Parts 160 and 164).',
        'Your organization will use and disclose protected health information from these interfaces only as HIPAA and its agreements allow. It will protect the information as the Security Rule requires and report a breach as the Breach Notification Rule requires.',
        'You are authorized to make this statement for the organization.',
      ],
    },
  ],
  acceptance: 'I affirm this for my organization.',
};

export const attestation: Agreement = {
  version: '2026-11-22',
  title: 'Attestation of how your application handles member data',
  sections: [
    {
      heading: 'Why we ask for this',
      paragraphs: [
        'Members see a warning when they sign in if an application is not attested. They can still share their data.',
      ],
    },
    {
      heading: 'What you attest',
      paragraphs: [
        'The application has a privacy policy in plain language that anyone can read before signing in. The policy says what data the application takes, how it uses the data, who it shares the data with or sells it to, and how a member can stop this.',
        'The application asks for a member’s express consent before it takes data, before it shares data with anyone else, and before it uses data for any purpose other than the one the member asked for.',
        'The application does not sell member data, or says so in its privacy policy and gets the member’s express consent first.',
        'The application takes only the data it needs, and keeps the data only as long as it needs it.',
        'The application protects data. It encrypts data in transit and at rest, and limits access to people who need it. It reports a breach to the affected members, and to the Federal Trade Commission where the Health Breach Notification Rule requires it.',
        'The application deletes a member’s data when the member asks.',
        'The application’s claims about itself in this portal are true, and will be kept up to date.',
      ],
    },
  ],
  acceptance: 'I attest this for the application.',
};

export const agreements = { termsOfUse, hipaaAffirmation, attestation } as const;
