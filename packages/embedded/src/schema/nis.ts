/**
 * Accounts and groups of POSIX systems, RFC 2307, as in OpenLDAP. posixGroup is structural there and auxiliary in RFC 2307bis, see
 * `eitherKind` in `entry-rules.ts`. Definitions in the notation of RFC 4512 §4.1, without DESC.
 */

export const attributeTypes = `
( 1.3.6.1.1.1.1.2 NAME 'gecos' EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch SYNTAX
    1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
( 1.3.6.1.1.1.1.3 NAME 'homeDirectory' EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.4 NAME 'loginShell' EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.5 NAME 'shadowLastChange' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.6 NAME 'shadowMin' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
( 1.3.6.1.1.1.1.7 NAME 'shadowMax' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
( 1.3.6.1.1.1.1.8 NAME 'shadowWarning' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.9 NAME 'shadowInactive' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.10 NAME 'shadowExpire' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.11 NAME 'shadowFlag' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE
    )
( 1.3.6.1.1.1.1.12 NAME 'memberUid' EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch SYNTAX
    1.3.6.1.4.1.1466.115.121.1.26 )
( 1.3.6.1.1.1.1.13 NAME 'memberNisNetgroup' EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
    SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
( 1.3.6.1.1.1.1.14 NAME 'nisNetgroupTriple' SYNTAX 1.3.6.1.1.1.0.0 )
( 1.3.6.1.1.1.1.15 NAME 'ipServicePort' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.16 NAME 'ipServiceProtocol' SUP name )
( 1.3.6.1.1.1.1.17 NAME 'ipProtocolNumber' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.18 NAME 'oncRpcNumber' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
    SINGLE-VALUE )
( 1.3.6.1.1.1.1.19 NAME 'ipHostNumber' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128}
    )
( 1.3.6.1.1.1.1.20 NAME 'ipNetworkNumber' EQUALITY caseIgnoreIA5Match SYNTAX
    1.3.6.1.4.1.1466.115.121.1.26{128} SINGLE-VALUE )
( 1.3.6.1.1.1.1.21 NAME 'ipNetmaskNumber' EQUALITY caseIgnoreIA5Match SYNTAX
    1.3.6.1.4.1.1466.115.121.1.26{128} SINGLE-VALUE )
( 1.3.6.1.1.1.1.22 NAME 'macAddress' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} )
( 1.3.6.1.1.1.1.23 NAME 'bootParameter' SYNTAX 1.3.6.1.1.1.0.1 )
( 1.3.6.1.1.1.1.24 NAME 'bootFile' EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
( 1.3.6.1.1.1.1.26 NAME 'nisMapName' SUP name )
( 1.3.6.1.1.1.1.27 NAME 'nisMapEntry' EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch SYNTAX
    1.3.6.1.4.1.1466.115.121.1.26{1024} SINGLE-VALUE )
`;

export const objectClasses = `
( 1.3.6.1.1.1.2.0 NAME 'posixAccount' SUP top AUXILIARY MUST ( cn $ uid $ uidNumber $ gidNumber $
    homeDirectory ) MAY ( userPassword $ loginShell $ gecos $ description ) )
( 1.3.6.1.1.1.2.1 NAME 'shadowAccount' SUP top AUXILIARY MUST uid MAY ( userPassword $ shadowLastChange $
    shadowMin $ shadowMax $ shadowWarning $ shadowInactive $ shadowExpire $ shadowFlag $ description ) )
( 1.3.6.1.1.1.2.2 NAME 'posixGroup' SUP top STRUCTURAL MUST ( cn $ gidNumber ) MAY ( userPassword $
    memberUid $ description ) )
( 1.3.6.1.1.1.2.3 NAME 'ipService' SUP top STRUCTURAL MUST ( cn $ ipServicePort $ ipServiceProtocol ) MAY (
    description ) )
( 1.3.6.1.1.1.2.4 NAME 'ipProtocol' SUP top STRUCTURAL MUST ( cn $ ipProtocolNumber $ description ) MAY
    description )
( 1.3.6.1.1.1.2.5 NAME 'oncRpc' SUP top STRUCTURAL MUST ( cn $ oncRpcNumber $ description ) MAY description
    )
( 1.3.6.1.1.1.2.6 NAME 'ipHost' SUP top AUXILIARY MUST ( cn $ ipHostNumber ) MAY ( l $ description $ manager
    ) )
( 1.3.6.1.1.1.2.7 NAME 'ipNetwork' SUP top STRUCTURAL MUST ( cn $ ipNetworkNumber ) MAY ( ipNetmaskNumber $
    l $ description $ manager ) )
( 1.3.6.1.1.1.2.8 NAME 'nisNetgroup' SUP top STRUCTURAL MUST cn MAY ( nisNetgroupTriple $ memberNisNetgroup
    $ description ) )
( 1.3.6.1.1.1.2.9 NAME 'nisMap' SUP top STRUCTURAL MUST nisMapName MAY description )
( 1.3.6.1.1.1.2.10 NAME 'nisObject' SUP top STRUCTURAL MUST ( cn $ nisMapEntry $ nisMapName ) MAY
    description )
( 1.3.6.1.1.1.2.11 NAME 'ieee802Device' SUP top AUXILIARY MAY macAddress )
( 1.3.6.1.1.1.2.12 NAME 'bootableDevice' SUP top AUXILIARY MAY ( bootFile $ bootParameter ) )
`;
