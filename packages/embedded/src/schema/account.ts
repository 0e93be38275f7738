/**
 * The product's own classes and attributes (docs/concepts/dialects-and-names.md#schema-extension): the definitions of `schema/` in the root
 * of the repository, in the notation of RFC 4512 §4.1, without DESC.
 */

/** The OID arc of `schema/watchword.schema`. */
const watchword = '1.2.840.113556.1.8000.2554.37597.56975.50427.19440.43567.11308.23436.42525';

export const attributeTypes = `
( ${watchword}.1.1 NAME 'webadmSettings' EQUALITY caseExactMatch SUBSTR caseExactSubstringsMatch
    SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
( ${watchword}.1.2 NAME 'webadmData' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
( ${watchword}.1.3 NAME 'webadmType' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
    SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
( ${watchword}.1.4 NAME 'webadmVoice' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40
    SINGLE-VALUE )
`;

export const objectClasses = `
( ${watchword}.2.1 NAME 'webadmAccount' SUP top AUXILIARY MAY ( webadmSettings $ webadmData $ webadmType $
    webadmVoice $ mail $ mobile $ preferredLanguage $ userCertificate $ description ) )
( ${watchword}.2.2 NAME 'webadmGroup' SUP top AUXILIARY MAY ( webadmSettings $ webadmData $ webadmType $
    description ) )
( ${watchword}.2.3 NAME 'webadmConfig' SUP top STRUCTURAL MUST cn MAY ( webadmSettings $ webadmData $
    webadmType $ description ) )
`;
