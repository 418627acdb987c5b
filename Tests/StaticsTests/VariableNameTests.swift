// In which module a variable is defined, by its name in the symbol table.

import Testing

@testable import Statics

@Suite struct VariableNameTests {
    // Names as Swift 6.3 wrote them, of a module `App` and a library `Kit`.
    @Test(arguments: [
        ("$s3App4ShopC5countSivpZ", "App"),
        ("$s3App10globalIntSivp", nil),
        ("$s3App9globalIntSivp", "App"),
        ("$s3App4ShopC6secret33_906C1BD27982C0A0D20576FDF6D64D8ELLSivpZ.0", "App"),
        ("$s3App4ShopC4pair33_906C1BD27982C0A0D20576FDF6D64D8ELLSi1a_Si1btvpZ.1", "App"),
        ("$s3App7fileBox33_906C1BD27982C0A0D20576FDF6D64D8ELLAA0C0Cvp", "App"),
        ("$s3App4ShopC6_level33_906C1BD27982C0A0D20576FDF6D64D8ELLAA7ClampedVvpZ", "App"),
        ("$s3App4ShopC8$currents9TaskLocalCySiGvpZ", "App"),
        ("$sSi3AppE11clientCountSivpZ", "App"),
        ("$s3Kit0A4TypeV3AppE5extraSivpZ", "App"),
        ("$s10Foundation14NSNotificationC4NameV3AppE6boughtAEvpZ", "App"),
        ("$s3Kit0A4TypeV5plainSivpZ", "Kit"),
        ("$s3App11localStaticyyF1SL_V1nSivpZ.0", "App"),
    ])
    func storedVariablesHaveTheirModule(name: String, module: String?) {
        let found = VariableName(name)
        #expect(found == module.map { .stored(module: $0) } ?? .unplaced(module: nil))
    }

    @Test(arguments: [
        ("$s3App4ShopC6shared_Wz", "App"),
        ("$s3App7fileBox33_906C1BD27982C0A0D20576FDF6D64D8ELL_Wz", "App"),
        ("$s10Foundation14NSNotificationC4NameV3AppE6bought_Wz", "App"),
        ("$sSi3AppE9clientBox_Wz", "App"),
        ("$s3App11localStaticyyF1SL_V1b_Wz", "App"),
        ("$s3Kit0A6SharedC6shared_Wz", "Kit"),
        // Two that one pattern makes.
        ("$s3App4left_5rightWz", "App"),
    ])
    func onceTokenHasItsModule(name: String, module: String) { #expect(VariableName(name) == .stored(module: module)) }

    @Test(arguments: [
        ("$s3App4ShopC6shared_WZTv_", "App"), ("$s3App10lazyGlobal_WZTv0_", "App"), ("$s3Kit8kitArray_WZTv_", "Kit"),
        ("$s3App8useTableSiyFTv_r", "App"),
        // Its owner has no name that can be read: a closure that was built beforehand.
        ("$s10MutantTool10ValidatingnTv_", "MutantTool"),
        // Where all cases of an enum stand.
        ("$s10Simulation10WebFailureOs12CaseIterableAAsADP8allCases03AllG0QzvgZTWTv_", "Simulation"),
    ])
    func objectHasItsModule(name: String, module: String) { #expect(VariableName(name) == .object(module: module)) }

    @Test(arguments: [
        "$s3App4ShopCMf", "$s3App4ShopCN", "$s3App6EnumedOACSHAAWL", "$sSay3App6EnumedOGMD", "$sSSMD",
        "$s3App4BankCScAAAMcMK", "$s3App3GenVMI", "$s3App4LoudVAA6SpeaksAAWP", "got.$sScAMp", "main_mainTv_",
        "symbolic _____ 3App4ShopC",
        "$sS2Ss5Error_pIeghHggzo_S2SsAA_pIeghHnnzo_TRTA.36Tu",
    ])
    func runtimeMetadataIsRecognised(name: String) { #expect(VariableName(name) == .runtime) }

    @Test(arguments: ["counter", "kit_calls.calls", "_ZL7counter"])
    func cVariablesAreNotSwifts(name: String) { #expect(VariableName(name) == .other) }

    @Test(arguments: [
        ("static (extension in Shop):Swift.Int.count : Swift.Int", "Shop"),
        ("static (extension in Shop):Swift.Array< where A == Swift.Int>.sum : Swift.Int", "Shop"),
        ("static n : Swift.Int in S #1 in closure #1 () -> () in Shop.f() -> ()", "Shop"),
        ("function signature specialization <Arg[0] = Dead> of static Shop.Till.open() -> ()", "Shop"),
        ("Shop.größe : Swift.Int", "Shop"),
    ])
    func readableNameGivesItsModule(text: String, module: String) {
        #expect(VariableName.module(ofReadable: text) == module)
    }
}
