// The certificates of the simulated App Store, and the key that signs. Written by .ci/certificates.
// Constants; any thread.

/// Known to everybody, and valid at any date: they prove nothing outside a test. Each in DER, as base64.
package enum StoreCertificates {
    /// Of the key that signs.
    package static let leaf = """
        MIICMTCCAbegAwIBAgIBAzAKBggqhkjOPQQDAzA4MSMwIQYDVQQDDBpTdGFtcGVkZSB0ZXN0IGludGVybWVkaWF0ZTERMA8GA1UE\
        CgwIU3RhbXBlZGUwIBcNMDAwMTAxMDAwMDAwWhgPOTk5OTEyMzEyMzU5NTlaMDAxGzAZBgNVBAMMElN0YW1wZWRlIHRlc3QgbGVh\
        ZjERMA8GA1UECgwIU3RhbXBlZGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATADwk5Xwgsn4M3n5Z/q+uTWOL/rPr/3UIp/TKr\
        vUOFs0k6U1BLiIZQmqTOyYC1ZKvoS6Bf6CfNpcFblmrGsjAco4G3MIG0MAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMB0G\
        A1UdDgQWBBTCyc/l1qqtf/T7ZmAPf2LTC4W4TTAfBgNVHSMEGDAWgBTxfMK3whbNslezr8JLN5gRkQY2QTBCBggrBgEFBQcBAQQ2\
        MDQwMgYIKwYBBQUHMAGGJmh0dHA6Ly9vY3NwLnN0YW1wZWRlLnRlc3QvaW50ZXJtZWRpYXRlMBAGCiqGSIb3Y2QGCwEEAgUAMAoG\
        CCqGSM49BAMDA2gAMGUCMQCPqKWfpmS6Bhmx2TfVHD9ay9FjV3NNHdw08kNC+gN2+t/8WB4B1eqv80FYN+O0X6wCMArRUW+1bh9E\
        k6r6Yn+mz3q6yme4CYGV2vD9GtSPCAticht7VDXMb01zkJl5jlVrTQ==
        """

    /// Has signed the leaf.
    package static let intermediate = """
        MIICSTCCAc+gAwIBAgIBAjAKBggqhkjOPQQDAzAwMRswGQYDVQQDDBJTdGFtcGVkZSB0ZXN0IHJvb3QxETAPBgNVBAoMCFN0YW1w\
        ZWRlMCAXDTAwMDEwMTAwMDAwMFoYDzk5OTkxMjMxMjM1OTU5WjA4MSMwIQYDVQQDDBpTdGFtcGVkZSB0ZXN0IGludGVybWVkaWF0\
        ZTERMA8GA1UECgwIU3RhbXBlZGUwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAASqPEEwcya+E6NfaN5jBCW8Nov4ZNt65x4vQNkuFmmG\
        K7uOVv8J6BCDM9Gv/Gfva1FJygKg79BVGZkCmNvB5L5Jen/HP7uVwqGIMv4xHj16+L4htb9FcO17PN0u2LHeeKKjgbIwga8wDwYD\
        VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFPF8wrfCFs2yV7Ovwks3mBGRBjZBMB8GA1UdIwQYMBaAFCMJ\
        oTy2wfzPg6Gn0FDPvfMl7MnKMDoGCCsGAQUFBwEBBC4wLDAqBggrBgEFBQcwAYYeaHR0cDovL29jc3Auc3RhbXBlZGUudGVzdC9y\
        b290MBAGCiqGSIb3Y2QGAgEEAgUAMAoGCCqGSM49BAMDA2gAMGUCMG89PadSHK0LZT8Za+qQ248GzwKO3fFD8XRnq/BS5bQE2735\
        28F2nj+A9GxpfUHSZwIxAM8pG3WioU9F07m1uSqQLFh3UsFB8ycPQa17vpEpW0zxIH5TUYrgTGW1xwOde65tqQ==
        """

    /// Has signed the intermediate, and itself: what a verifier has to trust.
    package static let root = """
        MIIBzzCCAVagAwIBAgIBATAKBggqhkjOPQQDAzAwMRswGQYDVQQDDBJTdGFtcGVkZSB0ZXN0IHJvb3QxETAPBgNVBAoMCFN0YW1w\
        ZWRlMCAXDTAwMDEwMTAwMDAwMFoYDzk5OTkxMjMxMjM1OTU5WjAwMRswGQYDVQQDDBJTdGFtcGVkZSB0ZXN0IHJvb3QxETAPBgNV\
        BAoMCFN0YW1wZWRlMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEm10eM+2lmfuuD151S6G5sa77oH+c0NphU2yWWmWUUUPv3+Us/aX7\
        9Id6k8VoLgiZ/YxY0U0to9J3DgNtvZHMrKp47U412oOUhVwU7igeqdUbQXjdLB1/yCe3YwdtFYdmo0IwQDAPBgNVHRMBAf8EBTAD\
        AQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQUIwmhPLbB/M+DoafQUM+98yXsycowCgYIKoZIzj0EAwMDZwAwZAIwOytYcFAO\
        pt8cD+Z3/xssIYedIvPGxbMujEaygOnS0azcQipe9qSvIWPN6Zbx82D3AjAESmZ5B0X5RWYoNv/1kUPCK5oIpK+SyPX6InFQcgpr\
        6B4MD+XpKRlDEBkqO+RPmfM=
        """

    /// The leaf's private key: the 32 bytes of its number.
    package static let key = """
        RKSVwwa3tgCiJNFYvePW8BkJ3q4TI3QLyMpuPHAt9ss=
        """
}
