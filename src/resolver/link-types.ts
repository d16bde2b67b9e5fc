/** Link types: what a link of an item is about. */
import { findNearest } from '../csv/match.ts';
import { ok, type Result, refused } from '../result.ts';

/** The namespace of `gs1:`: GS1-Conformant Resolver Standard, 2.14. */
export const GS1_NAMESPACE = 'https://ref.gs1.org/voc/';

/** `gs1:`, and the old and the current spelling of the namespace. */
const OF_GS1 = /^(?:gs1:|https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\/)/;

/** The properties of the GS1 Web Vocabulary, release 1.16, that are link types, except the two of default links. */
const NAMES =
  `activityIdeas allergenInfo appDownload backgroundInfo brandHomepageClinical brandHomepagePatient careersInfo
certificationInfo consumerHandlingStorageInfo dpp eifu epcis epil eventsInfo faqs handledBy hasRetailers homepage
ingredientsInfo instructions jws leaveReview locationInfo logisticsInfo loyaltyProgram masterData menuInfo
nutritionalInfo openingHoursInfo paymentLink pip productSustainabilityInfo promotion purchaseSuppliesOrAccessories
quickStartGuide recallStatus recipeInfo registerProduct registryEntry relatedImage relatedVideo reportFound review
safetyInfo scheduleTime serviceInfo smartLabel smpc socialMedia statisticInfo subscribe support sustainabilityInfo
traceability tutorial userAgreement verificationService whatsInTheBox`.split(/\s+/);

/** All link types of GS1 that a link may have, as `gs1:pip`. */
export const LINK_TYPES: readonly string[] = NAMES.map((name) => `gs1:${name}`);

/** The default link of an item: 2.5.8. */
export const DEFAULT_LINK = 'gs1:defaultLink';
/** The links that a caller's preferences may choose instead. */
export const DEFAULT_LINK_MULTI = 'gs1:defaultLinkMulti';

/** The keys that the published schema of linksets takes. */
const OTHER = /^https?:\/\/[A-Za-z0-9_./]{1,190}$/;

/** Returns a link type in one spelling: those of GS1 as `gs1:pip`, others as they are. */
const toRel = (written: string): string => written.replace(OF_GS1, 'gs1:');

const BY_LOWER_CASE = new Map(
  [...LINK_TYPES, DEFAULT_LINK, DEFAULT_LINK_MULTI].map((rel) => [rel.toLowerCase(), rel]),
);

/** Returns the link type that a request names, in one spelling: the case of those of GS1 does not matter. */
export const toAskedRel = (written: string): string => {
  const rel = toRel(written);
  return BY_LOWER_CASE.get(rel.toLowerCase()) ?? rel;
};

/** Returns the IRI of a link type. */
export const iriOf = (rel: string): string => rel.replace(OF_GS1, GS1_NAMESPACE);

/** Returns the link type that a caller wrote in one spelling, or what is wrong with it. */
export const readRel = (written: string): Result<string, string> => {
  const rel = toRel(written);
  if (LINK_TYPES.includes(rel)) return ok(rel);
  if (rel === DEFAULT_LINK || rel === DEFAULT_LINK_MULTI)
    return refused('must say what the link is about, such as gs1:pip; is_default makes it the default');
  if (!rel.startsWith('gs1:') && OTHER.test(rel)) return ok(rel);
  const near = findNearest(rel.slice(0, 60), LINK_TYPES);
  return refused(
    `must be a link type of the GS1 Web Vocabulary, such as gs1:pip, or an http or https IRI of letters, digits, ".", "_" and "/"${near === null ? '' : `; did you mean ${near}?`}`,
  );
};
