/**
 * Check digits and check characters, and the codes of other standards that GS1 refers to, as the GS1 Barcode Syntax
 * Dictionary 2026-01-27 has them.
 */
import type { Problem } from './fault.ts';

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Countries by number: ISO 3166-1. */
export const COUNTRY_NUMBERS = listOf(`
004 008 010 012 016 020 024 028 031 032 036 040 044 048 050 051 052 056 060 064 068 070 072 074 076 084 086 090
092 096 100 104 108 112 116 120 124 132 136 140 144 148 152 156 158 162 166 170 174 175 178 180 184 188 191 192
196 203 204 208 212 214 218 222 226 231 232 233 234 238 239 242 246 248 250 254 258 260 262 266 268 270 275 276
288 292 296 300 304 308 312 316 320 324 328 332 334 336 340 344 348 352 356 360 364 368 372 376 380 384 388 392
398 400 404 408 410 414 417 418 422 426 428 430 434 438 440 442 446 450 454 458 462 466 470 474 478 480 484 492
496 498 499 500 504 508 512 516 520 524 528 531 533 534 535 540 548 554 558 562 566 570 574 578 580 581 583 584
585 586 591 598 600 604 608 612 616 620 624 626 630 634 638 642 643 646 652 654 659 660 662 663 666 670 674 678
682 686 688 690 694 702 703 704 705 706 710 716 724 728 729 732 740 744 748 752 756 760 762 764 768 772 776 780
784 788 792 795 796 798 800 804 807 818 826 831 832 833 834 840 850 854 858 860 862 876 882 887 894
`);

/** Countries by two letters: ISO 3166-1. */
export const COUNTRY_LETTERS = listOf(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`);

/** Currencies by number: ISO 4217. */
export const CURRENCIES = listOf(`
008 012 032 036 044 048 050 051 052 060 064 068 072 084 090 096 104 108 116 124 132 136 144 152 156 170 174 188
192 203 208 214 222 230 232 238 242 262 270 292 320 324 328 332 340 344 348 352 356 360 364 368 376 388 392 396
398 400 404 408 410 414 417 418 422 426 430 434 446 454 458 462 480 484 496 498 504 512 516 524 532 533 548 554
558 566 578 586 590 598 600 604 608 634 643 646 654 682 690 702 704 706 710 728 748 752 756 760 764 776 780 784
788 800 807 818 826 834 840 858 860 882 886 901 924 925 926 927 928 929 930 933 934 936 938 940 941 943 944 946
947 948 949 950 951 952 953 955 956 957 958 959 960 961 962 963 964 965 967 968 969 970 971 972 973 975 976 977
978 979 980 981 984 985 986 990 994 997 999
`);

/** Types of packages: UN/CEFACT Recommendation 21, and those that GS1 added. */
export const PACKAGE_TYPES = listOf(`
1A 1B 1D 1F 1G 1W 200 201 202 203 204 205 206 210 211 212 2C 3A 3H 43 44 4A 4B 4C 4D 4F 4G 4H 5H 5L 5M 6H 6P 7A
7B 8 8A 8B 8C 9 AA AB AC AD AF AG AH AI AJ AL AM AP APE AT AV B4 BB BC BD BE BF BG BGE BH BI BJ BK BL BM BME BN
BO BP BQ BR BRI BS BT BU BV BW BX BY BZ CA CB CBL CC CCE CD CE CF CG CH CI CJ CK CL CM CN CO CP CQ CR CS CT CU
CV CW CX CY CZ DA DB DC DG DH DI DJ DK DL DM DN DP DPE DR DS DT DU DV DW DX DY E1 E2 E3 EC ED EE EF EG EH EI EN
FB FC FD FE FI FL FO FOB FP FPE FR FT FW FX GB GI GL GR GU GY GZ HA HB HC HG HN HR IA IB IC ID IE IF IG IH IK IL
IN IZ JB JC JG JR JT JY KG KI LAB LE LG LT LU LV LZ MA MB MC ME MPE MR MS MT MW MX NA NE NF NG NS NT NU NV OA OB
OC OD OE OF OK OPE OT OU P2 PA PAE PB PC PD PE PF PG PH PI PJ PK PL PLP PN PO POP PP PPE PR PT PU PUE PV PX PY
PZ QA QB QC QD QF QG QH QJ QK QL QM QN QP QQ QR QS RB1 RB2 RB3 RCB RD RG RJ RK RL RO RT RZ S1 SA SB SC SD SE SEC
SH SI SK SL SM SO SP SS ST STL SU SV SW SX SY SZ T1 TB TC TD TE TEV TG THE TI TK TL TN TO TR TRE TS TT TTE TU TV
TW TWE TY TZ UC UN UUE VA VG VI VK VL VN VO VP VQ VR VS VY WA WB WC WD WF WG WH WJ WK WL WM WN WP WQ WR WRP WS
WT WU WV WW WX WY WZ X11 X12 X15 X16 X17 X18 X19 X20 X3 XA XB XC XD XF XG XH XJ XK YA YB YC YD YF YG YH YJ YK YL
YM YN YP YQ YR YS YT YV YW YX YY YZ ZA ZB ZC ZD ZF ZG ZH ZJ ZK ZL ZM ZN ZP ZQ ZR ZS ZT ZU ZV ZW ZX ZY ZZ
`);

/** Returns the check digit of the digits before the last: GS1 General Specifications, 7.9.1. */
export const checkDigitOf = (text: string): number => {
  let sum = 0;
  for (let i = text.length - 2, weight = 3; i >= 0; i -= 1, weight = 4 - weight) {
    sum += weight * (text.charCodeAt(i) - 48);
  }
  return (10 - (sum % 10)) % 10;
};

/** Checks the last digit. */
export const findDigitProblem = (text: string): Problem | null => {
  const expected = checkDigitOf(text);
  const offset = text.length - 1;
  if (text.charCodeAt(offset) - 48 === expected) return null;
  const message = `the check digit must be ${expected}, not ${text[offset]}; compare all digits with the source`;
  return { offset, message };
};

/** Character set 82 in the order of its values: GS1 General Specifications, figure 7.11-1. */
export const CHARSET_82 =
  '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const CHARSET_32 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** The first primes: one for each character that an AI may have before its check character pair. */
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83];

/** Returns the two check characters of a text: GS1 General Specifications, 7.9.5. */
export const checkPairOf = (text: string): string => {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    sum += CHARSET_82.indexOf(text[i]!) * PRIMES[text.length - 1 - i]!;
  }
  const rest = sum % 1021;
  return CHARSET_32[rest >> 5]! + CHARSET_32[rest & 31]!;
};

/** Checks the last two characters. */
export const findPairProblem = (text: string): Problem | null => {
  if (text.length < 2) return { offset: 0, message: 'is too short for its two check characters' };
  const offset = text.length - 2;
  const expected = checkPairOf(text.slice(0, offset));
  const found = text.slice(offset);
  if (found === expected) return null;
  return { offset, message: `the check characters must be ${expected}, not ${found}` };
};

/** No IBAN has fewer characters: country, check digits, and an account number. */
const IBAN_MIN = 11;

/** Checks an IBAN: ISO 13616-1, with the check digits of ISO/IEC 7064 (MOD 97-10). */
export const findIbanProblem = (text: string): Problem | null => {
  const bad = text.search(/[^0-9A-Z]/);
  if (bad >= 0) return { offset: bad, message: 'an IBAN has only digits and capital letters' };
  if (!COUNTRY_LETTERS.has(text.slice(0, 2))) {
    return { offset: 0, message: 'an IBAN begins with the two letters of a country' };
  }
  if (text.length < IBAN_MIN) return { offset: text.length, message: 'is too short for an IBAN' };
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest === 1
    ? null
    : { offset: 2, message: 'the check digits of the IBAN are wrong; compare it with the source' };
};
