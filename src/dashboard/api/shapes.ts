/** Short names for schemas of the OpenAPI document that several screens use. */
import type { components } from './types.ts';

type Schemas = components['schemas'];

/** Units of the current month. */
export type Usage = Schemas['Usage'];
/** Units over time, by key or kind of call. */
export type UsageHistory = Schemas['UsageHistory'];
/** A folder with the number of its codes. */
export type Folder = Schemas['Folder'];
/** A reading of all codes of a folder, or of chosen ones. */
export type Verification = Schemas['Verification'];
export type Code = Schemas['Code'];
/** How files are made: their format and size. */
export type FileOptions = Schemas['FileOptions'];
export type PrintProfile = Schemas['PrintProfile'];
/** How many codes a list has. */
export type Counted = Schemas['CodesCount'];
/** How many short links work, and their latest scans. */
export type LinksSummary = Schemas['LinksSummary'];
/** A saved code with everything that decides its picture. */
export type CodeWithDesign = Schemas['CodeWithDesign'];
export type Link = Schemas['Link'];
export type LinkPage = Schemas['LinkPage'];
export type LinkPatch = Schemas['LinkPatch'];
export type RouteChange = Schemas['RouteChange'];
/** A destination that a short link has had, with its times and slug, and who set it. */
export type LinkChange = Schemas['LinkChange'];
/** Scans over time. */
export type AccountScans = Schemas['AccountScans'];
export type ScanBreakdowns = Schemas['ScanBreakdowns'];
/** A rule of a short link or a rule set. */
export type Rule = Schemas['Rule'];
/** Rules by name that short links share. */
export type RuleSet = Schemas['RuleSet'];
export type RuleSetWithLinks = Schemas['RuleSetWithLinks'];
/** Where a link leads a visit that somebody describes, and why. */
export type Explanation = Schemas['Explanation'];
export type DescribedVisit = Schemas['DescribedVisit'];
/** What a link passes on of a visit. */
export type Forward = Schemas['Forward'];
/** A host of the account for its short links. */
export type Domain = Schemas['Domain'];
export type LinkJob = Schemas['LinkJob'];
export type BinItem = Schemas['BinItem'];
/** An API key, without its secret. */
export type Key = Schemas['Key'];
/** A signing secret, without its text. */
export type SigningSecret = Schemas['SigningSecret'];
/** A webhook, without its secrets. */
export type Webhook = Schemas['Webhook'];
/** One event for one webhook, with its last try. */
export type WebhookDelivery = Schemas['WebhookDelivery'];
/** How many events are sent again. */
export type Redeliveries = Schemas['Redeliveries'];
/** Who is signed in, and what the key may do. */
export type Session = Schemas['Session'];
/** Until when the operator is signed in, and the quota of each plan. */
export type OperatorSession = Schemas['OperatorSession'];
/** An account as its operator sees it, with the usage of this month. */
export type Account = Schemas['AccountWithUsage'];
export type QrRequest = Schemas['QrRequest'];
/** The grade of a design, and what would repair it. */
export type Check = Schemas['Check'];
/** From 4, best, to 0. */
export type Grade = Check['grade'];
export type Preset = Schemas['Preset'];
export type BulkAnswer = Schemas['BulkResponse'];
export type BulkItem = Schemas['BulkItem'];
export type Batch = Schemas['Batch'];
export type BatchOptions = Schemas['BatchOptions'];
/** The columns and first rows of a file. */
export type BatchPreview = Schemas['BatchPreview'];
/** A ZIP file of the codes of a batch. */
export type BatchPart = Schemas['BatchPart'];
/** A picture as a signed address has it: a text with options, or a saved code. */
export type SignedPicture = Omit<Schemas['SignedUrlRequest'], 'expires'>;
/** A counter of the account, which numbers the codes of batches. */
export type Counter = Schemas['Counter'];
/** What the resolver knows of one key: its links. */
export type ResolverItem = Schemas['Item'];
export type ItemLink = Schemas['ItemLink'];
/** What a file of links does, or has done. */
export type ItemsImported = Schemas['ItemsImported'];
