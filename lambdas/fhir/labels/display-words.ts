/**
 * Words that show a sensitive concept of SNOMED CT whose code is in no value set. SNOMED CT has more descendants of a concept than a table
 * here can list.
 */

import type { SensitiveCategory } from '../../catalog/fhir/sensitive-categories.ts';

/** Patterns tested against a concept's display. A negation (`no history of`) matches too: even that the question was asked is private. */
export const displayWords: readonly (readonly [SensitiveCategory, RegExp])[] = [
  [
    'mental-health',
    /schizo|psycho(?:sis|tic|therap)|depressi(?:ve|on)|bipolar|hypomani|\bmani[ac]|suicid|self.harm|anxiety disorder|panic (?:disorder|attack)|obsessive|post.?traumatic stress|personality disorder|anorexia nervosa|bulimi|autis|attention deficit|mental disorder|mood disorder/i,
  ],
  [
    'substance-use',
    /(?:alcohol|opioid|opiate|heroin|cocaine|cannabis|marijuana|amphetamine|stimulant|hallucinogen|sedative|hypnotic|inhalant|drug|substance|polysubstance).*(?:abuse|dependen|addict|use disorder|misuse|withdrawal|intoxication|overdose|detox|rehab)|(?:abuse|dependen\w*|addict\w*|misuse|withdrawal|intoxication|overdose).*(?:alcohol|opioid|opiate|heroin|cocaine|cannabis|marijuana|amphetamine|drug|substance)|alcoholi(?:sm|c)|delirium tremens/i,
  ],
  [
    'sexual-health',
    /\bHIV\b|human immunodeficiency|\bAIDS\b|syphilis|gonorrh|gonococc|chlamydia|genital herpes|genital wart|sexually transmitted|venereal/i,
  ],
  [
    'reproductive-health',
    /pregnan|abortion|miscarriage|contracept|infertil|in vitro fertili|ectopic|antenatal|prenatal|postpartum|\blabor\b|deliver(?:y|ies) (?:by|of)/i,
  ],
  [
    'genetics',
    /sickle|cystic fibrosis|huntington|trisomy|\bBRCA|genetic (?:test|disorder|counsel|mutation|predisposition)|carrier of/i,
  ],
  [
    'violence',
    /domestic violence|intimate partner|(?:victim|perpetrator) of|sexual assault|\brape|battered|(?:child|spous\w*|elder|adult|physical|emotional) abuse|human trafficking/i,
  ],
];
